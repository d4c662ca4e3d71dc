"""Dask's workers on this machine, which may be busy."""

from distributed import Nanny


class Patient(Nanny):
    """Lets a worker end by itself for a minute: Dask kills it after four seconds, and says so."""

    async def close(self, timeout: float = 75, reason: str = "nanny-close") -> str:
        return await super().close(timeout, reason)
