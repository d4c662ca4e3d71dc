"""`python -m dashboard [Streamlit's flags] [-- INPUT]` starts the dashboard."""

import sys

from dashboard.launch import main

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
