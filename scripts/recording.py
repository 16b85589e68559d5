"""Plays ten seconds of a game in a terminal and in two browsers, and draws the frames. See recording.sh."""

import base64
import os
import pathlib
import subprocess
import sys
import time

scripts = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(scripts.parent / "Tests" / "Web"))

from browsers import chromium, is_shown, points, text
from served import PICTURES, PROGRAMS, Served, wait_until

GAME = "scoreboard/1"
PATIENCE = 60  # s, for each wait
COLUMNS, ROWS = 80, 22
FRAME = 250  # ms of a frame while the clock runs
# Pixels of a page, and device pixels for one of them: the stage has two for one of its own, and scales nothing.
WALL = 1280, 720, 2 * 530 / 1280
PHONE = 390, 844, 2 * 294 / 390
STAGE = 900, 756, 2

IS_LATE = "return document.querySelector('main').classList.contains('late')"
HAS_MARKS = "return document.querySelector('.mark') !== null"
CAN = "return document.querySelector(arguments[0])?.ariaDisabled === 'false'"
CENTRE = """
const { left, right, top, bottom } = document.querySelector(arguments[0]).getBoundingClientRect();
return [(left + right) / 2, (top + bottom) / 2];
"""


def until(condition):
    wait_until(condition, PATIENCE)


class Bus(Served):
    """A busd whose time moves only when the recording says so, with a store that survives a kill."""

    def begin(self):
        """The example game at 10 - 8, with its clock running, and pairings for phones."""
        self.restart_web(*self.scoring)
        lines = (scripts.parent / "Examples" / "game.busd").read_text().partition("\n# 10 - 8")[0]
        for line in lines.splitlines():
            if line.startswith("send "):
                self.send(*line.split(" ", 3)[1:])
        self.advance(442.7)

    def start_bus(self):
        words = ["--socket", self.path / "busd.sock", "--state", self.path / "state", "--clock", "manual"]
        self.bus = subprocess.Popen([PROGRAMS / "busd", *words], stderr=subprocess.DEVNULL)
        until(lambda: self.answers(self.path / "view.sock"))

    def advance(self, seconds):
        self.send("bus/clock", "advance", '{"by":%g}' % seconds)

    def clock(self):
        return self.value("time")["text"]


class Terminal:
    """scoreboard in tmux. Its socket has a short name, because an error shows it."""

    def __init__(self, folder):
        self.socket = folder / "tmux"
        settings = "default-terminal screen-256color", "status off", "remain-on-exit on"
        (folder / "tmux.conf").write_text("".join(f"set -g {setting}\n" for setting in settings))
        self.tmux("-f", folder / "tmux.conf", "new-session", "-d", "-c", folder, "-x", COLUMNS, "-y", ROWS,
                  f"BUSD_SOCKET=busd.sock exec '{PROGRAMS}/scoreboard' {GAME}")

    def tmux(self, *words):
        words = ["tmux", "-S", self.socket, *words]
        return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True).stdout

    def press(self, key):
        self.tmux("send-keys", key)

    def text(self):
        return self.tmux("capture-pane", "-p")

    def clock(self):
        """The lines with the digits of the clock, which changes them every tenth."""
        return self.text().splitlines()[:5]

    def shows_keys(self):
        """Whether the last line has the keys, and not a message."""
        return "q quit" in self.text()

    def picture(self):
        size = f"columns={COLUMNS}", f"rows={ROWS}", "cursor="
        return subprocess.run(
            ["awk", "-f", scripts / "screen.awk", "-v", "title=scoreboard", *size, "-"],
            input=self.tmux("capture-pane", "-e", "-N", "-p"), env={**os.environ, "LC_ALL": "C"},
            check=True, capture_output=True, text=True, encoding="utf-8",
        ).stdout

    def close(self):
        self.tmux("kill-server")


class Page:
    """A browser of a fixed size, without animations: they would show how busy the machine is."""

    def __init__(self, url, width, height, scale):
        self.browser = chromium()
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False}
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        calm = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", calm)
        self.browser.get(url)

    def ask(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def picture(self):
        return self.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]

    def click(self, selector):
        """Like a thumb: a press at the middle of the element."""
        x, y = self.ask(CENTRE, selector)
        for kind in "mousePressed", "mouseReleased":
            press = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", press)

    def close(self):
        self.browser.quit()


class Recording:
    def __init__(self, bus, terminal, wall, phone):
        self.bus, self.terminal, self.wall, self.phone = bus, terminal, wall, phone
        self.pages = wall, phone
        self.frames = []
        self.title = self.source = None

    def say(self, title, source=None):
        self.title, self.source = title, source

    def take(self, milliseconds, tap=None, is_change=False):
        frame = {"title": self.title, "source": self.source, "tap": tap, "isChange": is_change,
                 "terminal": self.terminal.picture(), "wall": self.wall.picture(), "phone": self.phone.picture()}
        self.frames.append((milliseconds, frame))

    def run(self, count, tap=None, is_change=False):
        """Takes frames with a running clock."""
        for _ in range(count):
            self.tick(FRAME / 1000)
            self.take(FRAME, tap, is_change)
            # A page that has waited two seconds for a tick says so: the machine was too busy.
            while any(page.ask(IS_LATE) for page in self.pages):
                self.frames.pop()
                self.tick(0.1)
                self.take(FRAME, tap, is_change)

    def tick(self, seconds):
        before = self.terminal.clock()
        self.bus.advance(seconds)
        clock = self.bus.clock()
        until(lambda: all(text(page.browser, ".time").strip() == clock for page in self.pages))
        until(lambda: self.terminal.clock() != before)
        until(self.is_still)

    def is_still(self):
        before = self.terminal.text()
        time.sleep(0.1)
        return before == self.terminal.text()

    def await_score(self, home, away):
        until(lambda: all(points(page.browser) == (str(home), str(away)) for page in self.pages))
        until(lambda: not self.phone.ask(HAS_MARKS))


def play(recording):
    bus, terminal, phone = recording.bus, recording.terminal, recording.phone

    recording.say("One game, three screens")
    recording.run(5)

    recording.say("<kbd>2</kbd> in the terminal: two points for Ann", "terminal")
    recording.run(1)
    terminal.press("2")
    recording.await_score(12, 8)
    until(lambda: "2 points of Ann" in terminal.text())
    recording.run(2, is_change=True)
    recording.run(2)
    until(terminal.shows_keys)
    recording.run(3)

    recording.say("Two taps on the phone: one point for Dee", "phone")
    player, move = ".away tbody tr:first-child button", ".moves [value=onePointMove]"
    recording.run(2, tap=phone.ask(CENTRE, player))
    phone.click(player)
    until(lambda: phone.ask(CAN, move))
    recording.run(1)
    recording.run(1, tap=phone.ask(CENTRE, move))
    phone.click(move)
    recording.await_score(12, 9)
    # The terminal says which user did it. That depends on who records.
    until(lambda: "Dee          2" in terminal.text())
    until(terminal.shows_keys)
    recording.run(2, is_change=True)
    recording.run(3)

    recording.say('<kbd class="kill">kill -9 busd</kbd> each screen keeps the score')
    bus.end(bus.bus)
    until(lambda: "reconnecting" in terminal.text())
    until(lambda: all(page.ask(IS_LATE) for page in recording.pages))
    recording.take(1500)

    recording.say("busd starts again: every point is there")
    bus.start_bus()
    until(lambda: "paused" in terminal.text())
    until(lambda: not any(page.ask(IS_LATE) for page in recording.pages))
    recording.await_score(12, 9)
    until(lambda: phone.ask(CAN, "#pause"))
    until(recording.is_still)
    recording.take(1250)

    recording.say("A tap on Start: the game goes on", "phone")
    recording.take(2 * FRAME, tap=phone.ask(CENTRE, "#pause"))
    phone.click("#pause")
    until(lambda: "running" in terminal.text())
    recording.await_score(12, 9)
    recording.run(5)


def draw(frames):
    stage = Page((scripts / "recording.html").as_uri(), *STAGE)
    try:
        for number, (milliseconds, frame) in enumerate(frames):
            stage.browser.execute_async_script("show(arguments[0]).then(arguments[1])", frame)
            path = PICTURES / f"{number:02}.png"
            path.write_bytes(base64.b64decode(stage.picture()))
            print(milliseconds, path)
    finally:
        stage.close()


def main():
    opened = []
    try:
        bus = Bus()
        opened.append(bus)
        bus.begin()
        terminal = Terminal(bus.path)
        opened.append(terminal)
        until(lambda: "running" in terminal.text())
        # Cookies belong to a host, so the wall is not paired.
        wall = Page(f"{bus.url}/{GAME}", *WALL)
        opened.append(wall)
        phone = Page(bus.link("Sam"), *PHONE)
        opened.append(phone)
        until(lambda: is_shown(phone.browser, "#undo"))
        recording = Recording(bus, terminal, wall, phone)
        recording.await_score(10, 8)
        play(recording)
    finally:
        for thing in reversed(opened):
            thing.close()
    draw(recording.frames)


main()
