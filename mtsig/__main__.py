"""`python -m mtsig` is the command `mtsig`."""

from mtsig.cli import main

raise SystemExit(main())
