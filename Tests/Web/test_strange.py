"""Texts that busd refuses, and events that only a later version sends: busd-web reads them from a meddler."""

import json
import unittest

from browsers import BrowserCase, points, text
from meddler import Meddler
from served import Served, wait_until

NAMES = [
    "\u202eoverride<img src=x onerror=window.hit=1>",
    "Z" + "\u0301" * 200 + "algo",
    "\u2066isolate\u202d \u05e9\u05dc\u05d5\u05dd 12",
    "W" * 300,
    "\"><script>window.hit=1</script>' onclick='window.hit=1'",
]
EVENTS = [
    {"news": {"text": "a later version"}},
    {"news": None},
    {"__proto__": {"polluted": 1}},
    {"score": {"home": {"deep": [1]}, "away": None}},
    {"undoable": []},
]
LINES = [b'{"surprise":1}\n', b"[1]\n", b"null\n", b"not JSON\n"]
SIGNAL = "strange events follow"

# Whether the name covers the digits, and whether the page is wider than the screen.
DISTURBED = """
const box = selector => document.querySelector(selector).getBoundingClientRect();
const digits = box(".home .digits"), name = box(".home .name");
return [digits.left < name.right - 1 && name.left < digits.right - 1
  && digits.top < name.bottom - 1 && name.top < digits.bottom - 1,
  document.documentElement.scrollWidth > innerWidth];
"""


def change(line):
    """Each `Strange0` is one of the names, and the new name of a team brings strange events with it."""
    for number, name in enumerate(NAMES):
        line = line.replace(f"Strange{number}".encode(), json.dumps(name)[1:-1].encode())
    if SIGNAL.encode() not in line or b'"event"' not in line:
        return [line]
    event = json.loads(line)
    strange = [json.dumps({**event, "event": change, "more": False}).encode() + b"\n" for change in EVENTS]
    return [*strange, *LINES, line]


class Strange(BrowserCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.close)
        meddler = Meddler(self.served.path / "meddler.sock", self.served.path / "view.sock", change)
        self.addCleanup(meddler.close)
        # The last one counts.
        self.served.restart_web("--socket", str(self.served.path / "meddler.sock"))

    def open_game(self, browser, home):
        team = lambda name, player: {"name": name, "players": [player]}
        game = {"home": team(home, home), "away": team("Jets", "Bo")}
        address = json.loads(self.served.send("games", "createGame", json.dumps(game)))["made"]
        browser.get(f"{self.served.url}/{address}")
        wait_until(lambda: '"browser"' in self.served.run("viewctl", "who", "--json"))
        return address

    def test_names_that_busd_refuses_are_texts_that_cover_nothing(self):
        def check(browser):
            for number, name in enumerate(NAMES):
                address = self.open_game(browser, f"Strange{number}")
                self.served.send(f"{address}/away/1", "onePointMove")
                wait_until(lambda: points(browser) == ("0", "1"))
                content = browser.execute_script("return document.querySelector('.home .name').textContent")
                self.assertEqual(content, name)
                self.assertIsNone(browser.execute_script("return window.hit ?? null"))
                for width, height in ((1280, 720), (500, 844)):
                    browser.set_window_size(width, height)
                    self.assertEqual(browser.execute_script(DISTURBED), [False, False], f"name {number}, {width}")
                browser.get(self.served.url + "/")
                self.assertIsNone(browser.execute_script("return window.hit ?? null"))

        self.in_each_browser(check)

    def test_events_of_a_later_version_break_nothing(self):
        def check(browser):
            address = self.open_game(browser, "Hawks")
            rename = {"side": "away", "name": SIGNAL, "was": "Jets"}
            self.served.send(address, "renameTeam", json.dumps(rename))
            wait_until(lambda: text(browser, ".away .name") == SIGNAL)
            self.served.send(f"{address}/home/1", "twoPointMove")
            wait_until(lambda: points(browser) == ("2", "0"))
            self.assertIsNone(browser.execute_script("return ({}).polluted ?? null"))

        self.in_each_browser(check)


if __name__ == "__main__":
    unittest.main()
