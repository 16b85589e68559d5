"""A phone that keeps the score: with a real busd, in real browsers."""

import itertools
import unittest

from selenium.webdriver.common.keys import Keys

from browsers import BrowserCase, is_shown, points, set_viewport, text
from served import Served, wait_until

CAN = "return document.querySelector(arguments[0]).ariaDisabled === 'false'"
PLACES = """
return [...document.querySelectorAll('button')].map(b => b.getBoundingClientRect()).map(r => [r.x, r.y])
"""
# As if the taps were two minutes old.
AGE = """
for (const key of Object.keys(localStorage))
  localStorage[key] = localStorage[key].replace(/\\d{13}/, number => number - 120000);
"""
# A clock that runs is late after two seconds.
RECORD_LATE = """
const now = Date.now, stale = document.querySelector(".stale");
let more = 0;
Date.now = () => now() + more;
window.addTime = () => more += 5000;
window.late_ = [];
new MutationObserver(() => window.late_.push(stale.innerText)).observe(stale, { attributes: true });
"""
# Digits that the dialogue, or the edge of their team, covers.
COVERED = """
const bottom = document.querySelector(".bottom").getBoundingClientRect();
return [...document.querySelectorAll(".digits")].flatMap(digits => {
  const { top, bottom: end } = digits.getBoundingClientRect(), team = digits.closest(".team").getBoundingClientRect();
  return end > bottom.top + 1 || top < team.top - 1 || end > team.bottom + 1 ? [[top, end, bottom.top, team.top]] : [];
});
"""
IS_LATE = "return document.querySelector('main').classList.contains('late')"
WAITING = "return Object.keys(localStorage).length"
# A button rests until END_RESTS, and not only for the 400 ms of score.js.
HOLD_RESTS = """
window.rests = [];
const later = window.setTimeout;
window.setTimeout = (act, after) => after === 400 ? rests.push(act) : later(act, after);
"""
END_RESTS = "rests.splice(0).forEach(end => end())"


class Scoring(BrowserCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.close)
        self.served.restart_web(*self.served.scoring)
        self.served.create_game()

    def prepare(self, browser):
        set_viewport(browser, 390, 844)
        self.pair(browser)

    def pair(self, browser):
        browser.get(self.served.link())
        wait_until(lambda: browser.current_url == self.served.url + "/scoreboard/1")
        wait_until(lambda: is_shown(browser, "#undo"))

    def open_player(self, browser):
        browser.execute_script("document.querySelector('.home tbody button').click()")
        wait_until(lambda: browser.execute_script(CAN, ".moves button"))

    def tap(self, browser, move="onePointMove"):
        browser.execute_script("document.querySelector(`.moves button[value=${arguments[0]}]`).click()", move)

    def press(self, browser, button):
        """Twice, as a nervous thumb does: the second one has no effect."""
        wait_until(lambda: browser.execute_script(CAN, button))
        press = "document.querySelector(arguments[0]).click();"
        browser.execute_script(press + press, button)

    def press_also_later(self, browser, button):
        """Presses once more after the answer of busd, while the button rests: that has no effect either."""
        shown = lambda: (points(browser), text(browser, ".state").strip())
        is_sent = lambda: browser.execute_script(WAITING) == 0
        before = shown()
        self.press(browser, button)
        wait_until(lambda: is_sent() and shown() != before)
        browser.execute_script("document.querySelector(arguments[0]).click()", button)
        wait_until(is_sent)
        browser.execute_script(END_RESTS)

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
            self.tap(browser)
            wait_until(lambda: points(browser)[0] == str(before + 3))
            browser.execute_script(HOLD_RESTS)
            for button, change in (("#undo", 2), ("#undo", 0), ("#redo", 2), ("#redo", 3)):
                self.press_also_later(browser, button)
                self.assertEqual(self.home(), before + change, button)
                wait_until(lambda: points(browser)[0] == str(before + change))
            for state in ("running", "paused"):
                self.press_also_later(browser, "#pause")
                self.assertEqual(self.served.value("paused")["isPaused"], state == "paused")
                wait_until(lambda: text(browser, ".state").strip().startswith(state))

        self.in_each_browser(check)

    def test_a_start_is_live_at_once(self):
        def check(browser):
            browser.execute_script(RECORD_LATE)
            for _ in range(2):
                browser.execute_script("addTime()")
                for state in "running", "paused":
                    self.press(browser, "#pause")
                    wait_until(lambda: text(browser, ".state").strip().startswith(state))
            self.assertEqual(browser.execute_script("return window.late_"), [])

        self.in_each_browser(check)

    def test_a_new_link_in_the_tab_of_a_used_one(self):
        def check(browser):
            used = self.served.link()
            browser.get(used)
            wait_until(lambda: browser.current_url == self.served.url + "/scoreboard/1")
            browser.delete_all_cookies()
            browser.get(used)
            wait_until(lambda: "already used" in text(browser, "[role=status]"))
            browser.get(self.served.link())
            wait_until(lambda: browser.current_url == self.served.url + "/scoreboard/1")

        self.in_each_browser(check)

    def test_the_keyboard_alone(self):
        def check(browser):
            before = self.home()
            page = browser.switch_to.active_element
            for _ in range(30):
                page.send_keys(Keys.TAB)
                page = browser.switch_to.active_element
                if page.get_attribute("aria-pressed") is not None:
                    break
            page.send_keys(Keys.ENTER)
            target = browser.switch_to.active_element
            self.assertEqual(target.get_attribute("value"), "onePointMove")
            target.send_keys(Keys.ENTER)
            wait_until(lambda: self.home() == before + 1)
            target.send_keys(Keys.ESCAPE)
            self.assertEqual(browser.switch_to.active_element.get_attribute("aria-pressed"), "true")

        self.in_each_browser(check)

    def test_targets_are_large(self):
        def check(browser):
            self.open_player(browser)
            sizes = browser.execute_script(
                "return [...document.querySelectorAll('.moves button, #undo, #redo, #pause')]"
                ".map(b => b.getBoundingClientRect()).map(r => Math.min(r.width, r.height))"
            )
            self.assertGreaterEqual(min(sizes), 55.9)

        self.in_each_browser(check)

    def test_nothing_moves_under_the_thumb(self):
        def check(browser):
            places = lambda: browser.execute_script(PLACES)
            first = places()
            self.open_player(browser)
            self.tap(browser)
            wait_until(lambda: browser.execute_script(WAITING) == 0 and browser.execute_script(CAN, "#undo"))
            self.served.end(self.served.web)
            self.tap(browser)
            self.press(browser, "#pause")
            wait_until(lambda: "2" in text(browser, "#waiting"))
            self.assertEqual(text(browser, ".home .mark:not(.done)"), "+1")
            wait_until(lambda: text(browser, ".stale") and browser.execute_script(IS_LATE))
            last = places()
            self.served.start_web()
            self.assertEqual(last, first)

        self.in_each_browser(check)

    def test_a_tap_that_waits_is_not_sent_to_another_game_at_the_same_address(self):
        def check(browser):
            self.open_player(browser)
            self.tap(browser)
            wait_until(lambda: browser.execute_script(WAITING) == 0 and browser.execute_script(CAN, "#undo"))
            self.served.end(self.served.web)
            self.tap(browser)
            wait_until(lambda: "1" in text(browser, "#waiting"))
            browser.execute_script(AGE)
            wait_until(lambda: is_shown(browser, "#ask"))
            # The answer to this question is none to the next one.
            browser.execute_script("document.querySelector('#ask [value=yes]').click()")
            wait_until(lambda: not is_shown(browser, "#ask"))
            self.served.restart_with_empty_store()
            self.served.create_game()
            self.served.start_web()
            wait_until(lambda: "fewer moves" in text(browser, "#ask"))
            self.assertEqual(self.home(), 0)
            browser.execute_script("document.querySelector('#ask [value=no]').click()")
            wait_until(lambda: browser.execute_script(WAITING) == 0)
            self.tap(browser)
            wait_until(lambda: self.home() == 1)

        self.in_each_browser(check)

    def test_six_players_can_be_tapped_without_scrolling(self):
        def check(browser):
            for size in (390, 844), (390, 750), (390, 664), (844, 390), (667, 375), (1280, 720):
                set_viewport(browser, *size)
                last, bottom = browser.execute_script(
                    "return [[...document.querySelectorAll('tbody tr')].at(-1).getBoundingClientRect().bottom,"
                    " document.querySelector('.bottom').getBoundingClientRect().top]"
                )
                self.assertLessEqual(last, bottom, size)

        self.in_each_browser(check)

    def test_large_text_and_long_names_fit_the_width(self):
        self.served.create_game(players=("W" * 40, "Maximiliane Schuster-Hoffmann", "Cy"))

        def check(browser):
            for link in (self.served.url + "/scoreboard/2", self.served.link(to="scoreboard/2/**")):
                browser.get(link)
                wait_until(lambda: browser.current_url == self.served.url + "/scoreboard/2")
                browser.execute_script("document.documentElement.style.fontSize = '200%'")
                for size in (390, 844), (844, 390):
                    set_viewport(browser, *size)
                    wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0, f"{link} {size}")

        self.in_each_browser(check)

    def test_nothing_covers_the_score(self):
        """Not even the question about old taps, while the page is not live, with large text."""

        def check_sizes(browser, what):
            sizes = (844, 390), (667, 375), (568, 320), (932, 430), (1024, 600), (1280, 720), (390, 844), (500, 560)
            for share, size in itertools.product((100, 200), sizes):
                set_viewport(browser, *size)
                browser.execute_script("document.documentElement.style.fontSize = arguments[0]", f"{share}%")
                self.assertEqual(browser.execute_script(COVERED), [], f"{what}, {size}, {share}%")
            browser.execute_script("document.documentElement.style.fontSize = ''")

        def check(browser):
            set_viewport(browser, 844, 390)
            height = lambda: browser.execute_script("return document.querySelector('.bottom').offsetHeight")
            self.open_player(browser)
            quiet = height()
            # A line of words, and one of targets.
            self.assertLess(quiet, 110)
            check_sizes(browser, "no question")
            self.served.end(self.served.web)
            self.tap(browser)
            wait_until(lambda: "1" in text(browser, "#waiting") and is_shown(browser, ".stale"))
            browser.execute_script(AGE)
            wait_until(lambda: is_shown(browser, "#ask p"))
            check_sizes(browser, "an old tap")
            set_viewport(browser, 844, 390)
            self.assertAlmostEqual(height(), quiet, delta=5)
            self.served.start_web()
            self.served.unpair_all()
            browser.execute_script("document.querySelector('#ask [value=yes]').click()")
            wait_until(lambda: "refused" in text(browser, "#ask p"))
            check_sizes(browser, "a refused tap")

        self.in_each_browser(check)

    def test_a_finished_game_takes_no_moves_but_can_be_reopened(self):
        def check(browser):
            self.open_player(browser)
            self.served.finish_game()
            wait_until(lambda: "over" in text(browser, "#picked"))
            self.assertFalse(browser.execute_script(CAN, ".moves button"))
            self.assertFalse(browser.execute_script(CAN, "#pause"))
            self.press(browser, "#undo")
            wait_until(lambda: browser.execute_script(CAN, ".moves button"))

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
            browser.execute_script(AGE)
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
