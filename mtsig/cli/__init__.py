"""The command line: arguments go in, a result goes to stdout; everything else goes to stderr."""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
