"""Runs the tests of this folder, and names what was left out.

Only these tests see the pages in a browser: layout, script, keyboard, cookies, other origins, proxies, and the time from
a move to the frame. SiteTests and GamesSiteTests test busd-web without a daemon, and WebLookingTests both processes
over HTTP.
"""

import sys
import unittest

import browsers

words = sys.argv[1:] or ["discover", "-q"]
# Debian's selenium warns of its own driver for WebKit.
result = unittest.main(None, argv=["run.py", *words], exit=False, warnings="ignore").result
faults = [] if result.wasSuccessful() else ["failed"]
if not result.testsRun:
    faults.append("failed: no test has this name")
if not browsers.all_browsers():
    faults.append("failed: there is no browser to test in")
for reason in sorted(set(browsers.left_out)):
    print(f"== test-web: left out: {reason}")
for line in faults or ["passed"]:
    print(f"== test-web: {line}")
sys.exit(bool(faults))
