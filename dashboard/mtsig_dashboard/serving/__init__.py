"""The wing for many visitors: who is answered, who is here, what each may hold, and processes that work for all.

The pages run without it, for one person at this computer: `mtsig_dashboard.host` is the only file that looks for it.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
