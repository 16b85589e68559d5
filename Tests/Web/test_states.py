"""Pictures of the score page in each state and size, for people to compare with the design of the pages.

A test can only find what is cut off or covered. The overlay is drawn on something like a photograph.
"""

import base64
import itertools
import json
import unittest

from browsers import all_browsers, is_shown
from served import PICTURES, Served, wait_until

SIZES = {
    "phone": (390, 844),
    "tablet": (768, 1024),
    "desktop": (1280, 720),
    "wall": (1920, 1080),
    "landscape": (844, 390),
}
UPRIGHT_VIDEO = {"upright": (1080, 1920)}
RULES = {"pointsToWin": 99, "margin": 5}

# The boxes of texts that are wider than their place without an ellipsis, or outside of the screen's width.
CUT = """
const isCut = e => {
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  const isEllipsis = style.textOverflow === "ellipsis" && style.overflow === "hidden";
  return box.width > 1 && (box.left < -1 || box.right > innerWidth + 1
    || (!isEllipsis && e.scrollWidth > e.clientWidth + 1 && style.display !== "inline"));
};
const hasText = e => [...e.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.data.trim());
return [...document.querySelectorAll("main *")].filter(e => e.checkVisibility() && !e.closest(".unseen"))
  .filter(e => hasText(e) && isCut(e)).map(e => `${e.tagName}.${e.className}: ${e.textContent.slice(0, 40)}`);
"""

# Pairs of shown texts that cover each other.
COVERED = """
const texts = [...document.querySelectorAll(".digits, .name, .won, .time, .state span, .board button, .stale, .gone")]
  .filter(e => e.checkVisibility()).map(e => {
    const range = document.createRange();
    range.selectNodeContents(e);
    const text = range.getBoundingClientRect(), { left, right, top, bottom } = e.getBoundingClientRect();
    // A line is as high as the style says, and a name that ends in … is as wide as its place.
    const box = { left: Math.max(left, text.left), right: Math.min(right, text.right), top, bottom };
    return { what: `${e.className || e.tagName} ${e.textContent}`, box };
  });
const cover = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
return texts.flatMap((a, i) => texts.slice(i + 1).filter(b => cover(a.box, b.box)).map(b => `${a.what} / ${b.what}`));
"""

PHOTOGRAPH = """<!doctype html><title>photograph</title><style>
* {{ margin: 0; min-height: 100% }} html {{ height: 100% }} img {{ position: fixed; inset: 0; min-height: 0 }}
body {{ background: radial-gradient(circle at 20% 80%, #fff 0, transparent 30%),
  radial-gradient(circle at 75% 85%, #102040 0, transparent 25%), repeating-linear-gradient(100deg, #7a4 0 40px,
  #f4e8c0 40px 90px, #234 90px 120px), #888 }}</style><img src="data:image/png;base64,{0}">"""


class States(unittest.TestCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.close)
        opened = dict(all_browsers())
        if "Chromium" not in opened:
            self.skipTest("no Chromium")
        self.browser = opened["Chromium"]()
        self.addCleanup(self.browser.quit)

    # MARK: States

    def create(self, **names):
        """A new game with long benches; returns its id."""
        team = lambda name, players: {"name": name, "players": players}
        game = {
            "home": team(names.get("home", "Hawks"), ["Ann", "Bo", "Cy", "Dee", "Eve"]),
            "away": team(names.get("away", "Jets"), ["Fay", "Gil", "Hal", "Ida", "Alexandrina von Hohenstein"]),
            "rules": names.get("rules", RULES),
        }
        return json.loads(self.served.send("games", "createGame", json.dumps(game)))["made"]

    def score(self, game, home, away):
        """Scores in turns, so that nobody wins before."""
        for place in range(1, max(home, away) + 1):
            for side, points in (("home", home), ("away", away)):
                if place <= points:
                    self.served.time_of_send(f"{game}/{side}/{place % 5 + 1}", "onePointMove")

    def start(self):
        return self.create()

    def running(self):
        game = self.create()
        self.score(game, 12, 9)
        self.served.send(game, "setClock", '{"time":"00:42.1","starts":true}')
        return game

    def paused(self):
        game = self.create(home="Hawks of the Northern Harbour", away="W" * 40)
        self.score(game, 115, 114)
        self.served.send(game, "setClock", '{"time":"99:58.9"}')
        return game

    def final(self):
        game = self.create(rules={"pointsToWin": 15, "margin": 2})
        self.score(game, 15, 9)
        return game

    # MARK: Pictures

    def each_look(self, sizes=SIZES):
        for scheme, (size, (width, height)) in itertools.product(("light", "dark"), sizes.items()):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            yield f"{size}-{scheme}"

    def open(self, path):
        self.browser.get(self.served.url + path)
        wait_until(lambda: any(row["to"] == path[1:].split("?")[0] for row in self.all_views()))

    def all_views(self):
        return [json.loads(line) for line in self.served.run("viewctl", "who", "--json").splitlines()]

    def picture(self, name):
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.browser.save_screenshot(str(PICTURES / f"{name}.png"))
        for what, script in (("cut off", CUT), ("covered", COVERED)):
            with self.subTest(name):
                self.assertEqual(self.browser.execute_script(script), [], what)

    def test_the_page_in_each_state(self):
        for state in (self.start, self.running, self.paused, self.final):
            game = state()
            self.open(f"/{game}")
            for look in self.each_look():
                self.picture(f"{state.__name__}-{look}")

    def test_a_deleted_game(self):
        game = self.start()
        self.open(f"/{game}")
        self.served.send("games", "deleteGame", json.dumps({"game": game.split("/")[1]}))
        wait_until(lambda: is_shown(self.browser, ".gone"))
        for look in self.each_look():
            self.picture(f"deleted-{look}")

    def test_a_page_that_is_not_live(self):
        game = self.running()
        self.open(f"/{game}")
        self.served.end(self.served.bus)
        wait_until(lambda: is_shown(self.browser, ".stale"))
        for look in self.each_look():
            self.picture(f"not-live-{look}")

    def test_the_overlay_in_each_state_on_a_photograph(self):
        for state in (self.start, self.running, self.paused, self.final):
            game = state()
            for look in self.each_look({**SIZES, **UPRIGHT_VIDEO}):
                self.open(f"/{game}?overlay")
                with self.subTest(f"overlay-{state.__name__}-{look}"):
                    self.assertEqual(self.browser.execute_script(COVERED), [])
                    self.assertEqual(self.browser.execute_script(CUT), [])
                self.picture_on_photograph(f"overlay-{state.__name__}-{look}")

    def picture_on_photograph(self, name):
        command = self.browser.execute_cdp_cmd
        command("Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
        picture = command("Page.captureScreenshot", {"format": "png"})["data"]
        command("Emulation.setDefaultBackgroundColorOverride", {})
        page = PHOTOGRAPH.format(picture).encode()
        self.browser.get("data:text/html;base64," + base64.b64encode(page).decode())
        wait_until(lambda: self.browser.execute_script("return document.images[0].complete"))
        self.browser.save_screenshot(str(PICTURES / f"{name}.png"))


if __name__ == "__main__":
    unittest.main()
