"""The browsers that this machine has. A missing one is named at the end of the run."""

import os
import pathlib
import shutil
import unittest

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from served import PICTURES, wait_until

left_out = []


def chromium(*arguments):
    options = webdriver.ChromeOptions()
    for word in ("--headless=new", "--hide-scrollbars", *arguments):
        options.add_argument(word)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.set_capability("acceptInsecureCerts", True)
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


def webkit():
    if os.geteuid() == 0:
        os.environ["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(mini_browser())
    options.add_argument("--automation")
    return webdriver.WebKitGTK(executable_path=shutil.which("WebKitWebDriver"), options=options)


def mini_browser():
    places = pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")
    return next(iter(sorted(places)), None)


def all_browsers():
    """Pairs of a name and a function that opens the browser."""
    found = []
    if shutil.which("chromedriver"):
        found.append(("Chromium", chromium))
    else:
        left_out.append("Chromium: chromedriver is not installed")
    if not (shutil.which("WebKitWebDriver") and mini_browser()):
        left_out.append("WebKit: webkit2gtk-driver is not installed")
    elif "DISPLAY" not in os.environ:
        left_out.append("WebKit: there is no display; install xvfb")
    else:
        found.append(("WebKit", webkit))
    return found


def text(browser, selector):
    """The text of the first element, as it is drawn."""
    return browser.execute_script(
        "const found = document.querySelector(arguments[0]); return found ? found.innerText : ''", selector
    )


def is_shown(browser, selector):
    return browser.execute_script(
        "const found = document.querySelector(arguments[0]); return !!found && found.getClientRects().length > 0",
        selector,
    )


def set_viewport(browser, width, height):
    """The size of the page, without the frame of the window. WebKit's is at least 447 pixels wide."""
    inner = lambda: browser.execute_script("return [innerWidth, innerHeight]")
    browser.set_window_size(width, height)
    seen = inner()
    browser.set_window_size(2 * width - seen[0], 2 * height - seen[1])
    wait_until(lambda: inner()[1] == height)


def points(browser):
    return text(browser, ".home .digits").strip(), text(browser, ".away .digits").strip()


class BrowserCase(unittest.TestCase):
    """Tests that run in each browser."""

    def prepare(self, browser):
        """Called before each check."""

    def in_each_browser(self, check):
        for name, browser in all_browsers():
            with self.subTest(name):
                driver = browser()
                try:
                    self.prepare(driver)
                    check(driver)
                except Exception:
                    driver.save_screenshot(str(PICTURES / f"failed-{self.id()}-{name}.png"))
                    raise
                finally:
                    driver.quit()
