"""See __init__.py. This is the one list of public names: read by type checkers, and by lazy_loader when imported."""

from ._connections import script
from ._door import guards, secret_of
from ._spool import users_spool
from ._uploads import given_up
from ._visitors import Visitors, present_visitors
from ._workers import Workers

__all__ = ["Visitors", "Workers", "given_up", "guards", "present_visitors", "script", "secret_of", "users_spool"]
