"""Tests of mtsig.collection, each file named after the module that it tests."""
