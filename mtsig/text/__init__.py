"""Strings go in, counts come out; nothing here knows of systems."""
