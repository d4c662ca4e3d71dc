"""Everything mtsig raises on purpose; each message says what was found, what was expected, where, and what to do.

MtsigError
├── ReadError        a file could not be understood (it names file and line)
├── AlignmentError   texts that should run in parallel differ in length
├── UnknownName      no such metric, test, interval, correction, system …
├── InvalidOption    an option exists, but not with this value
├── NotApplicable    the method is valid, but not for these data
└── ProgramError     another program that was asked is missing, failed, or answered what cannot be used
"""


class MtsigError(Exception):
    """The root: catching it catches every error that mtsig raises on purpose."""


class ReadError(MtsigError):
    """A file could not be understood."""


class AlignmentError(MtsigError):
    """Texts that should run in parallel differ in length."""


class UnknownName(MtsigError):
    """A name that is in no table; the message lists what exists."""


class InvalidOption(MtsigError):
    """An option with a value it cannot take; the message says which values it can."""


class NotApplicable(MtsigError):
    """The method is valid, but not for these data; the message says why and what is possible instead."""


class ProgramError(MtsigError):
    """Another program that was asked is missing, failed, or answered what cannot be used."""
