"""`python -m mtsig` is the command `mtsig`."""

from mtsig.cli.stopping import until_stopped


def _run() -> int:
    from mtsig.cli import main as run

    return run()


def main() -> int:
    """Run the command and return its exit code."""
    return until_stopped(_run)


if __name__ == "__main__":
    raise SystemExit(main())
