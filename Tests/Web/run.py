"""Runs the tests of this folder, and names what was left out."""

import sys
import unittest

import browsers

words = sys.argv[1:] or ["discover", "-q"]
# Debian's selenium warns of its own driver for WebKit.
result = unittest.main(None, argv=["run.py", *words], exit=False, warnings="ignore").result
for reason in sorted(set(browsers.left_out)):
    print(f"== test-web: left out: {reason}")
print("== test-web: passed" if result.wasSuccessful() else "== test-web: failed")
sys.exit(not result.wasSuccessful())
