"""What every verb and page says, recorded and compared; `python tests/behaviour --help`."""
