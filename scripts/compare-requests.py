"""Sends the same random requests to an old and a new busd, and compares all that they answer and emit.

    scripts/compare-requests.py OLD NEW [REQUESTS [SEED]]     OLD and NEW are folders of programs

The requests come from what `describe` shows: each event with its example, in which values are replaced by others that
were seen under the same key, or by wrong ones. Only what must differ between two runs is masked. The first difference
is printed with the last requests, and ends the run. Left out is what happens beside the loop, in any order: checks of
passwords, backups, and the statistics of the process.
"""
import atexit, json, os, random, re, shutil, socket, subprocess, sys, tempfile
from time import monotonic

MASKS = [
    (re.compile(rb"\b[0-9a-z]{9,14}:(?=\d)"), b"RUN:"),
    (re.compile(rb'"(created|stopped|since|pid|microseconds)":\d+'), rb'"\1":0'),
    (re.compile(rb'("bus/(?:statistics|connections|views)",[^}]*"seq"):\d+'), rb'\1:0'),
    (re.compile(rb"busd \d+\.\d+\.\d+"), b"busd VERSION"),
]
PROCESS = re.compile(rb'\{("from"|"live"|"gap"|"ok":\{"address"):"bus/(statistics|connections|views)"')
WRONG = [None, True, -1, 0, 1, 2.5, 3, 99, 2**53, "", "x", "home", "away", "é" * 41, "\u202e", [], {}, [{}], {"a": 1}]
KINDS = ["games", "scoreboard", "player", "plays", "books", "study", "cards", "game-creator", "book-creator", "echo"]
MADE = ["game-creator/a", "book-creator/a", "echo/a", "echo/b", "login/a", "bus/views", "bus/users",
        "games", "books", "nothing", "scoreboard/99", "a//b"]
PATTERNS = ["scoreboard/**", "scoreboard/*", "study/*", "**", "*/1", "books", "games", "bus/*", "x/**", "*a"]
BROKEN = ["{", '{"op":"get"', "[]", '{"op":"fly"}', '{"op":"get","to":1}', "fly", '{"op":"ping","op":"ping"}', "get",
          '{"op":"ping","id":1.5}', '{"op":"send","to":"games"}', "send games", '{"op":"ping","id":"\\ud800"}']
ALIASES = {"was": "name", "from": "name", "to": "at", "front": "back", "book": "id", "game": "id"}


class Daemon:
    def __init__(self, programs):
        self.folder, self.done = tempfile.mkdtemp(), "0:0"
        words = [os.path.abspath(f"{programs}/busd"), "--socket", "busd.sock", "--state", "state", "--clock", "manual"]
        self.process = subprocess.Popen(words, cwd=self.folder, stderr=subprocess.PIPE)
        atexit.register(shutil.rmtree, self.folder)
        atexit.register(self.process.kill)
        while b"serving" not in (line := self.process.stderr.readline()):
            if not line: sys.exit(f"{programs}/busd has not started")
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(f"{self.folder}/busd.sock")
        self.lines = self.socket.makefile("rb")

    def send(self, lines):
        self.socket.sendall("".join(line.replace("%DONE%", self.done) + "\n" for line in lines).encode())

    def until(self, end):
        """All lines up to the one that ends like this."""
        lines = []
        while line := self.lines.readline():
            if found := re.search(rb'"done":"([^"]+)"', line): self.done = found[1].decode()
            for pattern, text in MASKS: line = pattern.sub(text, line)
            if line.endswith(end): return lines
            if not PROCESS.match(line): lines.append(line)
        return lines + [b"the end of the connection\n"]

    def stop(self):
        self.process.terminate()
        return self.process.wait(), self.process.stderr.read()


class Requests:
    def __init__(self, seed, kinds):
        self.random, self.seen, self.addresses = random.Random(seed), {}, ["games", "books"]
        self.events = {kind["kind"]: [event["example"] for event in kind["viewEvents"]] for kind in kinds}

    def see(self, value, key=""):
        """Keeps values by their keys: later events use them."""
        if isinstance(value, dict):
            for name, part in value.items(): self.see(part, name)
        if isinstance(value, list):
            for part in value[:8]: self.see(part, key)
        self.seen.setdefault(key, []).append(value)
        del self.seen[key][:-12]

    def read(self, line):
        value = json.loads(line)
        if "event" in value: self.see(value["event"])
        ok = value.get("ok", {})
        self.see(ok.get("events", []))
        if "viewModels" in ok:
            self.addresses = [row["address"] for row in ok["viewModels"] if not row["address"].startswith("bus/")]
        if "made" in ok: self.addresses.append(ok["made"])

    def changed(self, value, key=""):
        """An example with other values."""
        choice = self.random.random()
        if choice < 0.01: return self.random.choice(WRONG)
        if choice < 0.5 and key:
            others = [other for name in (key, ALIASES.get(key)) for other in self.seen.get(name, [])]
            others = [other for other in others if type(other) is type(value)]
            if others: return self.random.choice(others)
        if isinstance(value, dict):
            parts = {name: self.changed(part, name) for name, part in value.items() if self.random.random() > 0.01}
            return parts | ({"more": 1} if self.random.random() < 0.005 else {})
        if isinstance(value, list): return [self.changed(part, key) for part in value]
        if isinstance(value, bool): return self.random.random() < 0.5
        if isinstance(value, int): return self.random.choice([value, 0, 1, 2, 3])
        return value

    def kind(self, address):
        parts = address.split("/")
        if parts[0] == "scoreboard": return {2: "scoreboard", 3: "plays", 4: "player"}.get(len(parts), "scoreboard")
        return parts[0]

    def event(self, address):
        kind = self.kind(address) if self.random.random() > 0.01 else self.random.choice(KINDS)
        # Few games and books at a time, so that lists stay short.
        if address in ("games", "books") and len(self.addresses) > 150:
            parts = (self.random.choice(self.addresses) + "/1").split("/")
            return {"deleteGame": {"game": parts[1]}} if address == "games" else {"deleteBook": {"book": parts[1]}}
        if kind == "login": return {"usernameChanged": {"username": "ann"}}
        return self.changed(self.random.choice(self.events.get(kind) or [{"fly": {}}]))

    def request(self, number):
        choice, to = self.random.random(), self.random.choice(self.addresses + MADE)
        if len(self.addresses) > 150 and self.random.random() < 0.1: to = self.random.choice(["games", "books"])
        if choice < 0.01: return [self.random.choice(BROKEN), "ping"]
        if choice < 0.02:
            return [self.random.choice(["list", "help", "describe", f"list {self.random.choice(PATTERNS)}"])]
        if choice < 0.03: return [json.dumps({"op": "describe", "to": self.random.choice(KINDS + [to])})]
        if choice < 0.10: return [self.random.choice([f"get {to}", json.dumps({"op": "get", "to": to, "id": number})])]
        if choice < 0.16:
            to = self.random.choice(PATTERNS + [to] * 9)
            return [json.dumps({"op": self.random.choice(["subscribe", "unsubscribe"]), "to": to, "id": number}
                               | ({"only": ["score", "time"]} if self.random.random() < 0.1 else {}))]
        send = {"op": "send", "to": to, "event": self.event(to), "id": number}
        if choice < 0.20: send["key"] = f"key {self.random.randrange(99)}"
        elif choice < 0.22: send["ifSeq"] = self.random.randrange(9)
        elif choice < 0.25: send["ifDone"] = "%DONE%"
        elif choice < 0.30: del send["id"]
        if choice > 0.95 and isinstance(send["event"], dict): return [f"send {to} {next(iter(send['event']), '')}"]
        return [json.dumps(send, ensure_ascii=self.random.random() < 0.5)]


def compare(old, new, count, seed):
    daemons = [Daemon(old), Daemon(new)]
    for daemon in daemons: daemon.send(["describe", '{"op":"ping","id":"first"}'])
    described = [daemon.until(b'"first"}\n') for daemon in daemons]
    if described[0] != described[1]: sys.exit("`describe` differs")
    requests = Requests(seed, json.loads(described[0][0])["ok"]["kinds"])
    sent, answered, began = 0, 0, monotonic()
    while sent < count:
        # An event that has waited for 2 s of this time is dropped, so the time moves when nothing waits. All steps
        # together are below 600 s: what is deleted for good then goes at a moment that the disk determines.
        time = requests.random.choice([-1, 0, 0.05, 0.05, 0.1, 0.1, 0.1, 0.5])
        batch = [f'send bus/clock advance {{"by":{time}}}']
        batch += [line for number in range(25) for line in requests.request(sent + number)]
        sent += len(batch)
        end = f'"until {sent}"}}\n'.encode()
        for daemon in daemons: daemon.send(batch + [json.dumps({"op": "ping", "id": f"until {sent}"})])
        lines = [daemon.until(end) for daemon in daemons]
        for index in range(max(map(len, lines))):
            pair = [part[index] if index < len(part) else b"nothing\n" for part in lines]
            if pair[0] == pair[1]: continue
            before = b"".join(lines[0][max(0, index - 3):index]).decode()
            sys.exit(f"after {sent} requests of seed {seed} the answers differ. The last requests:\n"
                     + "\n".join(batch) + f"\nThe last equal answers:\n{before}-{pair[0].decode()}+{pair[1].decode()}")
        answered += len(lines[0])
        for line in lines[0]: requests.read(line)
        if lines[0][-1:] == [b"the end of the connection\n"]: sys.exit(f"both have closed after {sent} requests")
    ends = [daemon.stop() for daemon in daemons]
    if ends[0] != ends[1]: sys.exit(f"the ends differ:\n-{ends[0]}\n+{ends[1]}")
    print(f"{sent} requests: the same {answered} lines, in {monotonic() - began:.0f} s")


compare(sys.argv[1], sys.argv[2], int((sys.argv[3:] or ["100000"])[0]), int((sys.argv[4:] or ["1"])[0]))
