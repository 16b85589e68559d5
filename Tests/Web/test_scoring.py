"""A phone that keeps the score: with a real busd, in real browsers."""

import unittest

from selenium.webdriver.common.keys import Keys

from browsers import BrowserCase, is_shown, points, text
from served import Served, wait_until

WAITING = "return Object.keys(localStorage).length"


class Scoring(BrowserCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.close)
        self.served.restart_web(*self.served.scoring)
        self.served.create_game()

    def prepare(self, browser):
        browser.set_window_size(390, 844)
        self.pair(browser)

    def pair(self, browser):
        browser.get(self.served.link())
        wait_until(lambda: browser.current_url == self.served.url + "/scoreboard/1")
        wait_until(lambda: is_shown(browser, "#undo"))

    def open_player(self, browser):
        browser.execute_script("document.querySelector('.home tbody button').click()")
        wait_until(lambda: is_shown(browser, ".moves button"))

    def tap(self, browser, move="onePointMove"):
        browser.execute_script("document.querySelector(`.moves button[value=${arguments[0]}]`).click()", move)

    def home(self):
        return self.served.score()[0]

    def test_taps_and_undo(self):
        def check(browser):
            before = self.home()
            self.open_player(browser)
            self.tap(browser, "twoPointMove")
            wait_until(lambda: points(browser)[0] == str(before + 2))
            wait_until(lambda: "2 points of Ann" in text(browser, "#undo"))
            self.assertIn("Ann", self.served.run("viewctl", "who"))
            browser.execute_script("document.querySelector('#undo').click()")
            wait_until(lambda: points(browser)[0] == str(before))
            browser.execute_script("document.querySelector('#pause').click()")
            wait_until(lambda: text(browser, ".state").strip().startswith("running"))
            browser.execute_script("document.querySelector('#pause').click()")
            wait_until(lambda: text(browser, ".state").strip().startswith("paused"))

        self.in_each_browser(check)

    def test_the_keyboard_alone(self):
        def check(browser):
            before = self.home()
            page = browser.switch_to.active_element
            for _ in range(30):
                page.send_keys(Keys.TAB)
                page = browser.switch_to.active_element
                if page.get_attribute("aria-expanded") is not None:
                    break
            page.send_keys(Keys.ENTER)
            wait_until(lambda: is_shown(browser, ".moves button"))
            page.send_keys(Keys.TAB)
            browser.switch_to.active_element.send_keys(Keys.ENTER)
            wait_until(lambda: self.home() == before + 1)

        self.in_each_browser(check)

    def test_targets_are_large(self):
        def check(browser):
            self.open_player(browser)
            sizes = browser.execute_script(
                "return [...document.querySelectorAll('.moves button, #undo, #pause')]"
                ".map(b => b.getBoundingClientRect()).map(r => Math.min(r.width, r.height))"
            )
            self.assertGreaterEqual(min(sizes), 55.9)

        self.in_each_browser(check)

    def test_no_tap_is_lost_or_counted_twice_without_a_network_and_over_a_reload(self):
        def check(browser):
            before = self.home()
            self.open_player(browser)
            self.served.end(self.served.web)
            for _ in range(3):
                self.tap(browser)
            wait_until(lambda: "3" in text(browser, "#waiting"))
            self.assertEqual(browser.execute_script(WAITING), 3)
            self.assertEqual(self.home(), before)
            self.served.start_web()
            browser.refresh()
            wait_until(lambda: self.home() == before + 3, 40)
            wait_until(lambda: browser.execute_script(WAITING) == 0)
            browser.refresh()
            wait_until(lambda: points(browser)[0] == str(before + 3))

        self.in_each_browser(check)

    def test_old_taps_are_sent_only_after_a_question(self):
        def check(browser):
            before = self.home()
            self.open_player(browser)
            self.served.end(self.served.web)
            self.tap(browser)
            wait_until(lambda: browser.execute_script(WAITING) == 1)
            # As if the tap were two minutes old.
            browser.execute_script(
                "for (const key of Object.keys(localStorage)) localStorage[key] ="
                " localStorage[key].replace(/\\d{13}/, number => number - 120000)"
            )
            self.served.start_web()
            browser.refresh()
            wait_until(lambda: is_shown(browser, "#ask"))
            self.assertEqual(self.home(), before)
            browser.execute_script("document.querySelector('#ask [value=yes]').click()")
            wait_until(lambda: self.home() == before + 1)

        self.in_each_browser(check)

    def test_a_refused_tap_says_why_and_holds_those_behind_it(self):
        def check(browser):
            before = self.home()
            self.open_player(browser)
            self.served.unpair_all()
            self.tap(browser)
            self.tap(browser)
            wait_until(lambda: is_shown(browser, "#ask"))
            self.assertIn("pair", text(browser, "#ask"))
            self.assertEqual(self.home(), before)
            self.assertEqual(browser.execute_script(WAITING), 2)

        self.in_each_browser(check)


if __name__ == "__main__":
    unittest.main()
