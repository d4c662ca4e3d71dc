"""The pages, one a file; each asks, calls and shows."""
