"""Tests of mtsig.lab, each file named after the module that it tests."""
