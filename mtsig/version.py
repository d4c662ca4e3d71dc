"""The version of the program: part of every signature."""

VERSION = "0.1.0"
