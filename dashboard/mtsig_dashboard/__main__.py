"""`python -m mtsig_dashboard [Streamlit's flags] [-- INPUT]` starts the dashboard."""

import signal
import sys


def main() -> int:
    """Run the dashboard until it is stopped, and return its exit code."""
    # As in mtsig/__main__.py, which it does not share: what is imported above could be interrupted untold.
    try:
        from mtsig_dashboard.launch import main as run

        return run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("mtsig: stopped\n")
        return 130
    except SystemExit as end:  # Streamlit's own, as where another program has the port
        return 2 if end.code else 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 70  # as `mtsig.__main__.FAULT`: 1 means a regression, in every verb
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is Python's own end


if __name__ == "__main__":
    raise SystemExit(main())
