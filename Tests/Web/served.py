"""A busd and a busd-web of their own, for the tests in browsers."""

import inspect
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

PROGRAMS = pathlib.Path(os.environ["BUSD_PROGRAMS"])
PICTURES = pathlib.Path(os.environ["BUSD_PICTURES"])


def wait_until(condition, seconds=20):
    """Waits until the condition holds, and returns how long that took."""
    start = time.monotonic()
    while not (last := condition()):
        if time.monotonic() - start > seconds:
            awaited = inspect.getsource(condition).strip()
            raise AssertionError(f"waited {seconds} s for {awaited}; the last value: {last!r}")
        time.sleep(0.01)
    return time.monotonic() - start


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Served:
    def __init__(self, *options, program=PROGRAMS / "busd"):
        self.folder = tempfile.TemporaryDirectory(prefix="busd-test-")
        self.path = pathlib.Path(self.folder.name)
        (self.path / "state").mkdir(mode=0o700)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.place = f"127.0.0.1:{self.port}"
        self.options, self.program = options, program
        self.bus = self.web = self.control = None
        self.start_bus()
        self.start_web()

    def start_bus(self):
        self.bus = subprocess.Popen(
            [self.program, "--socket", self.path / "busd.sock", "--state", self.path / "state"],
            stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: self.answers(self.path / "view.sock"))

    @staticmethod
    def answers(path):
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(path)) == 0

    @staticmethod
    def answers_at(port):
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    def start_web(self):
        self.web = subprocess.Popen(
            [PROGRAMS / "busd-web", "--listen", self.place]
            + ["--socket", self.path / "view.sock", "--state", self.path / "web", *self.options],
            stderr=subprocess.DEVNULL,
        )
        wait_until(self.serves)

    def serves(self):
        """The list of games, which not every daemon has, comes from the daemon."""
        if self.place.startswith("unix:"):
            return self.answers(self.place.removeprefix("unix:"))
        try:
            return urllib.request.urlopen(self.url + "/").status == 200
        except urllib.error.HTTPError as error:
            return error.code == 404
        except OSError:
            return False

    @property
    def scoring(self):
        """Options with which phones may keep the score."""
        return ["--control", str(self.path / "busd.sock")]

    def restart_web(self, *options):
        self.end(self.web)
        self.options = options
        self.start_web()

    def restart_with_empty_store(self):
        """Everything is gone, and the next game has the address of the first one."""
        if self.bus.poll() is None:
            self.end(self.bus)
        shutil.rmtree(self.path / "state")
        (self.path / "state").mkdir(mode=0o700)
        self.start_bus()

    def end(self, process, number=signal.SIGKILL):
        process.send_signal(number)
        process.wait()

    def close(self):
        for process in (self.web, self.bus):
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                self.end(process)
        if self.control:
            self.control.close()
        self.folder.cleanup()

    def run(self, program, *words):
        return subprocess.run(
            [PROGRAMS / program, *words],
            env={"PATH": os.environ["PATH"], "BUSD_SOCKET": str(self.path / "busd.sock")},
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def send(self, *words):
        return self.run("viewctl", "send", *words)

    def time_of_send(self, address, event):
        """Sends an event, and returns when the answer came, in milliseconds since 1970."""
        if not self.control:
            self.control = socket.socket(socket.AF_UNIX)
            self.control.connect(str(self.path / "busd.sock"))
        request = {"op": "send", "to": address, "event": event, "id": 1}
        self.control.sendall((json.dumps(request) + "\n").encode())
        answer = json.loads(self.control.recv(65_536))
        assert answer["ok"]["changed"], answer
        return time.time() * 1_000

    def create_game(self, home="Hawks", away="Jets", players=("Ann", "Bo", "Cy")):
        team = lambda name: {"name": name, "players": list(players)}
        self.send("games", "createGame", json.dumps({"home": team(home), "away": team(away)}))

    def finish_game(self):
        """Home wins: 8 times 2 points are more than the 15 of the usual rules."""
        for _ in range(8):
            self.send("scoreboard/1/home/1", "twoPointMove")

    def views(self):
        """The pages that follow a game."""
        rows = [json.loads(line) for line in self.run("viewctl", "who", "--json").splitlines()]
        return [row for row in rows if row.get("as") == "browser" and row["to"] == "scoreboard/1"]

    def link(self, name="Ann", to="scoreboard/1/**"):
        words = ["pair", "--to", to, "--for", "1h", "--as", name, "--no-qr"]
        return self.run("busd-web", *words, "--state", str(self.path / "web")).split()[0]

    def unpair_all(self):
        state = ["--state", str(self.path / "web")]
        for line in self.run("busd-web", "pairs", "--json", *state).splitlines():
            self.run("busd-web", "unpair", json.loads(line)["id"], *state)

    def value(self, name, address="scoreboard/1"):
        events = map(json.loads, self.run("viewctl", "get", address, "--json").splitlines())
        return next(event[name] for event in events if name in event)

    def score(self):
        score = self.value("score")
        return score["home"], score["away"]
