"""Tests in a browser: a package, so that the browser is closed before the same process runs other tests.

Playwright leaves its event loop running in the thread of the tests, where no other loop can run beside it.
"""
