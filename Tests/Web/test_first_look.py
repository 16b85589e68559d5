"""What a page has before its script runs, how large it is, and what the keyboard reaches."""

import json
import re
import unittest
import urllib.request

from selenium.webdriver.common.keys import Keys

from browsers import all_browsers, points
from served import Served, wait_until

PAGE_BYTES = 20_000
# Ten segments: all that a server may send before it hears from the browser again.
FIRST_ROUND_TRIP = 14_600

FOCUSED = """
const e = document.activeElement, style = getComputedStyle(e);
return e === document.body ? null : [e.tagName, e.textContent.trim(), style.outlineStyle !== "none"];
"""
TARGETS = """
return [...document.querySelectorAll("a[href], button:not(:disabled), input, summary, [tabindex]")]
  .filter(e => e.checkVisibility()).map(e => [e.tagName, e.textContent.trim(), true]);
"""


class FirstLook(unittest.TestCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.close)
        self.served.create_game(players=("Ann", "Bo", "Cy", "Dee", "Eve"))
        self.served.send("scoreboard/1/home/1", "twoPointMove")
        self.served.send("scoreboard/1/away/1", "onePointMove")

    def fetch(self, path):
        return urllib.request.urlopen(self.served.url + path).read()

    def chromium(self):
        browser = dict(all_browsers()).get("Chromium", lambda: self.skipTest("no Chromium"))()
        self.addCleanup(browser.quit)
        return browser

    def test_the_score_comes_with_the_first_round_trip_and_all_of_the_page_is_small(self):
        page = self.fetch("/scoreboard/1")
        assets = re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.decode())
        size = len(page) + sum(len(self.fetch(path)) for path in assets)
        print(f"== page {len(page)} bytes, with style and script {size} bytes")
        self.assertLess(len(page), FIRST_ROUND_TRIP)
        self.assertLessEqual(size, PAGE_BYTES)

    def test_the_score_is_shown_before_style_and_script_arrive(self):
        browser = self.chromium()
        browser.execute_cdp_cmd("Network.enable", {})
        browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/assets/*"]})
        browser.get(self.served.url + "/scoreboard/1")
        self.assertEqual(points(browser), ("2", "1"))

    def test_a_page_without_script_is_right_and_loads_itself_again(self):
        browser = self.chromium()
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        browser.get(self.served.url + "/scoreboard/1")
        digits = lambda: [element.text for element in browser.find_elements("css selector", ".digits")]
        self.assertEqual(digits(), ["2", "1"])
        self.assertEqual(self.served.views(), [])
        self.served.send("scoreboard/1/home/1", "onePointMove")
        wait_until(lambda: digits() == ["3", "1"])

    def test_the_list_follows_the_games(self):
        def check(browser):
            browser.get(self.served.url + "/")
            first = (
                "const row = document.querySelector('li');"
                "return row && [row.innerText.split(/\\s*\\n\\s*/), row.firstElementChild.pathname]"
            )
            game = {"home": {"name": "New", "players": ["A"]}, "away": {"name": "Old", "players": ["B"]}}
            made = json.loads(self.served.send("games", "createGame", json.dumps(game)))["made"]
            wait_until(lambda: (browser.execute_script(first) or [0, 0])[1] == f"/{made}")
            self.served.send(made, "resume")
            self.served.send(f"{made}/away/1", "twoPointMove")
            wait_until(lambda: {"New", "0 - 2", "running"} <= set(browser.execute_script(first)[0]))
            self.served.send("games", "deleteGame", json.dumps({"game": made.split("/")[1]}))
            wait_until(lambda: browser.execute_script(first)[1] == "/scoreboard/1")

        for name, browser in all_browsers():
            with self.subTest(name):
                driver = browser()
                try:
                    check(driver)
                finally:
                    driver.quit()

    def test_the_keyboard_reaches_everything_and_shows_where_it_is(self):
        browser = self.chromium()
        for path in ("/", "/scoreboard/1", "/scoreboard/1?overlay", "/view/scoreboard/1", "/none"):
            with self.subTest(path):
                browser.get(self.served.url + path)
                targets = browser.execute_script(TARGETS)
                reached = []
                for _ in targets:
                    browser.switch_to.active_element.send_keys(Keys.TAB)
                    reached.append(browser.execute_script(FOCUSED))
                self.assertEqual(reached, targets)

    def test_enter_opens_a_game(self):
        browser = self.chromium()
        browser.get(self.served.url + "/")
        browser.switch_to.active_element.send_keys(Keys.TAB)
        browser.switch_to.active_element.send_keys(Keys.ENTER)
        wait_until(lambda: browser.current_url == self.served.url + "/scoreboard/1")


if __name__ == "__main__":
    unittest.main()
