"""Tests of mtsig.report, each file named after the module that it tests."""
