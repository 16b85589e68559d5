"""Other pages, other names, and hostile HTTP."""

import collections
import contextlib
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import unittest
import urllib.request

from browsers import all_browsers, chromium, left_out
from other_site import OtherSite
from served import Served, wait_until

HOSTILE_BYTES = 1_000_000_000

OTHER_PAGE = """<!doctype html><title>other</title><iframe src="%(url)s/scoreboard/1"></iframe><script>
const seen = window.seen = {};
const url = "%(url)s";
fetch(url + "/scoreboard/1").then(r => r.text()).then(() => seen.read = "yes", () => seen.read = "no");
const stream = new EventSource(url + "/stream/scoreboard/1");
stream.onmessage = () => seen.stream = "yes";
stream.onerror = () => seen.stream ??= "no";
fetch(url + "/send", {method: "POST", mode: "no-cors", credentials: "include",
    headers: {"Content-Type": "text/plain"},
    body: '{"to":"scoreboard/1/home/1","event":"onePointMove","key":"x"}'})
    .then(() => seen.sent = "opaque", () => seen.sent = "no");
</script>"""

POST = (
    b"POST %s HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n"
    b"Cookie: %s\r\nContent-Length: %d\r\n\r\n%s"
)
TAP = b"/send", b'{"to":"scoreboard/1/home/1","event":"onePointMove","key":"a"}'
LINK = b"/pair", b'{"link":"abcdef.abcdefghijklmnopqrstuv"}'


def mutated(chance, text):
    """The text, or with hostile bytes in the place of some others."""
    if chance.random() < 0.5:
        return text
    hostile = [b"", b'"', b"\0", b"\xff\xfe", b"\\ud800", b"[" * 2_000, b"9" * 400, b"; pairing-" * 99, b"." * 22]
    start = chance.randrange(len(text))
    return text[:start] + chance.choice(hostile) + text[start + chance.randrange(9):]


class Attacks(unittest.TestCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.close)
        self.served.restart_web(*self.served.scoring)
        self.served.create_game()

    def test_a_page_of_another_origin_reads_and_sends_nothing(self):
        other = OtherSite(OTHER_PAGE % {"url": self.served.url})
        self.addCleanup(other.close)
        for name, browser in all_browsers():
            with self.subTest(name):
                driver = browser()
                try:
                    driver.get(self.served.link())
                    wait_until(lambda: "/scoreboard/1" in driver.current_url)
                    driver.get(f"http://127.0.0.1:{other.port}/")
                    wait_until(lambda: driver.execute_script("return Object.keys(window.seen).length") == 3)
                    self.assertEqual(driver.execute_script("return [seen.read, seen.stream]"), ["no", "no"])
                    self.assertFalse(self.frame_has_a_score(driver))
                    self.assertEqual(self.served.score(), (0, 0))
                finally:
                    driver.quit()

    @staticmethod
    def frame_has_a_score(driver):
        driver.switch_to.frame(0)
        return len(driver.find_elements("css selector", ".digits")) > 0

    def test_another_name_for_this_address_is_refused(self):
        if not shutil.which("chromedriver"):
            self.skipTest("no Chromium")
        driver = chromium("--host-resolver-rules=MAP evil.example 127.0.0.1")
        try:
            driver.get(f"http://evil.example:{self.served.port}/scoreboard/1")
            self.assertIn("--name", driver.page_source)
            self.assertNotIn("Hawks", driver.page_source)
        finally:
            driver.quit()

    def test_slow_requests_end_and_keep_nobody_out(self):
        texts = [b"", b"GET / HT", b"POST /send HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx"]
        # At most 228 connections: 128 besides the streams.
        self.served.restart_web("--browsers", "100")
        slow = [socket.create_connection(("127.0.0.1", self.served.port)) for _ in range(600)]
        for number, client in enumerate(slow):
            with contextlib.suppress(ConnectionError):
                client.sendall(texts[number % len(texts)])
        self.assertTrue(self.served.serves())
        # The oldest give way at once. The others have 15 s.
        for clients, seconds in ((slow[:300], 5), (slow, 40)):
            for client in clients:
                client.settimeout(seconds)
                with contextlib.suppress(ConnectionError):
                    while client.recv(4_096):
                        pass

    def test_hostile_bytes(self):
        chance = random.Random(7)
        cookie = self.pair()
        memory = self.memory()
        sent = 0
        statuses = collections.Counter()
        while sent < HOSTILE_BYTES:
            sent += self.attack(chance)
            statuses[self.status_of_attack(chance, cookie)] += 1
        wait_until(self.served.serves, 40)
        print(f"== {sent / 1e6:.0f} MB of hostile HTTP: {memory} kB before, {self.memory()} kB after")
        print("== answers to hostile taps:", ", ".join(f"{n} {s.decode()}" for s, n in sorted(statuses.items())))
        self.assertGreater(min(statuses[status] for status in (b"200", b"400", b"403")), 500)
        self.assertIsNone(self.served.web.poll())
        self.assertLess(self.memory(), memory + 30_000)

    def attack(self, chance):
        parts = [
            b"GET ", b"POST ", b"HEAD ", b"/", b"/stream/", b"/scoreboard/1", b"/send", b" HTTP/1.1", b"\r\n",
            b"\n", b"\r", b"\0", b"Host: localhost", b"Host: evil", b": ", b"Content-Length: ", b"-1", b"5",
            b"99999999999999999999", b"Transfer-Encoding: chunked", b"Cookie: pairing-", b"\xff\xfe", b"%00",
            b"Origin: null", b"?", b"&=", b"{\"to\":", b"\r\n\r\n", bytes(chance.randbytes(2_000)), b"a" * 20_000,
        ]
        data = b"".join(chance.choices(parts, k=chance.randint(1, 400)))
        if chance.random() < 0.5:
            data = b"POST /send HTTP/1.1\r\nHost: localhost\r\n" + data
        with socket.create_connection(("127.0.0.1", self.served.port), timeout=30) as client:
            try:
                client.sendall(data)
                if chance.random() < 0.1:
                    client.shutdown(socket.SHUT_WR)
                    client.settimeout(0.05)
                    client.recv(65_536)
            except OSError:
                pass
        return len(data)

    def pair(self):
        """The cookie of a phone, as the browser sends it."""
        link = json.dumps({"link": self.served.link().split("#")[1]}).encode()
        answer = self.answer(POST % (b"/pair", b"", len(link), link))
        return re.search(rb"Set-Cookie: ([^;]+)", answer)[1]

    def status_of_attack(self, chance, cookie):
        """Sends a tap or a link that is right but for some bytes of the cookie or the body."""
        path, body = chance.choice((TAP, LINK))
        cookie, body = mutated(chance, cookie), mutated(chance, body)
        return self.answer(POST % (path, cookie, len(body), body))[9:12]

    def answer(self, request):
        with socket.create_connection(("127.0.0.1", self.served.port), timeout=30) as client:
            client.sendall(request)
            with contextlib.suppress(ConnectionError):
                return client.recv(65_536)
        return b""

    def memory(self):
        with open(f"/proc/{self.served.web.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


class Accessibility(unittest.TestCase):
    def test_axe_finds_nothing(self):
        script = self.axe()
        served = Served()
        self.addCleanup(served.close)
        served.restart_web(*served.scoring)
        served.create_game()
        if not shutil.which("chromedriver"):
            self.skipTest("no Chromium")
        driver = chromium()
        self.addCleanup(driver.quit)
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            for path in ("/", "/scoreboard/1", "/scoreboard/1?overlay", "/view/scoreboard/1", "/none"):
                driver.get(served.url + path)
                self.assertEqual(self.findings(driver, script), [], f"{path} {scheme}")
            driver.get(served.link())
            wait_until(lambda: "/scoreboard/1" in driver.current_url)
            self.assertEqual(self.findings(driver, script), [], f"scoring {scheme}")

    @staticmethod
    def findings(driver, script):
        driver.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
        return driver.execute_async_script(
            "axe.run().then(r => arguments[0](r.violations.map(v => `${v.id}: ${v.nodes[0].html}`)))"
        )

    def axe(self):
        """The script of axe, from the package index; kept beside the pictures."""
        folder = os.path.join(os.environ["BUSD_PICTURES"], "..", "axe")
        place = os.path.join(folder, "axe_core_python", "axe.min.js")
        if not os.path.exists(place):
            words = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder]
            subprocess.run([*words, "axe-core-python"], capture_output=True)
        if not os.path.exists(place):
            left_out.append("axe: axe-core-python cannot be installed from the package index")
            self.skipTest("no axe")
        with open(place) as file:
            return file.read()


if __name__ == "__main__":
    unittest.main()
