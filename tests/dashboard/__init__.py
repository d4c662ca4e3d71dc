"""Tests of the dashboard without a browser, each file named after the module that it tests."""
