"""busd-web behind the proxies of Examples/Proxies, with TLS."""

import http.client
import os
import pathlib
import shutil
import ssl
import subprocess
import time
import unittest

from browsers import left_out
from served import Served, free_port, wait_until

EXAMPLES = pathlib.Path(__file__).parent.parent.parent / "Examples" / "Proxies"
NAME = "score.example.org"


class Proxies(unittest.TestCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.close)
        self.served.place = f"unix:{self.served.path}/web.sock"
        self.served.restart_web("--name", NAME, *self.served.scoring)
        self.served.create_game()
        self.port = free_port()

    def example(self, name, **changes):
        """The example, with the places of this test."""
        text = (EXAMPLES / name).read_text().replace("/run/busd-web/web.sock", f"{self.served.path}/web.sock")
        for old, new in changes.values():
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def start(self, *words):
        environment = {**os.environ, "XDG_DATA_HOME": str(self.served.path), "HOME": str(self.served.path)}
        proxy = subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(proxy.wait)
        self.addCleanup(proxy.terminate)

    def test_nginx(self):
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        if not nginx:
            left_out.append("nginx: it is not installed")
            self.skipTest("no nginx")
        folder = self.served.path
        words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}"]
        files = ["-keyout", folder / "score.key", "-out", folder / "score.pem"]
        subprocess.run([*words, *files], check=True, capture_output=True)
        server = self.example(
            "nginx.conf",
            port=("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
            certificate=("/etc/ssl/certs/score.pem", str(folder / "score.pem")),
            key=("/etc/ssl/private/score.key", str(folder / "score.key")),
        )
        temporary = "".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/nginx.pid; error_log stderr; events {{}}\n"
            f"http {{ access_log off; {temporary}\n{server}}}\n"
        )
        os.chmod(folder, 0o755)
        self.start(nginx, "-p", str(folder), "-c", str(folder / "nginx.conf"))
        self.check()

    def test_caddy(self):
        if not shutil.which("caddy"):
            left_out.append("caddy: it is not installed")
            self.skipTest("no caddy")
        text = self.example("Caddyfile", site=(f"{NAME} {{", f"https://{NAME}:{self.port} {{\n\ttls internal"))
        options = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"
        path = self.served.path / "Caddyfile"
        path.write_text(options + text)
        self.start("caddy", "run", "--adapter", "caddyfile", "--config", str(path))
        self.check()

    def check(self):
        wait_until(lambda: self.status("/scoreboard/1") == 200)
        self.check_stream()
        self.check_scoring()

    def connect(self):
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        return Named(self.port, trusting)

    def request(self, method, path, body=None, headers={}):
        connection = self.connect()
        connection.request(method, path, body, {"Host": f"{NAME}:{self.port}", **headers})
        return connection.getresponse()

    def status(self, path):
        try:
            return self.request("GET", path).status
        except OSError:
            return None

    def check_stream(self):
        stream = self.request("GET", "/stream/scoreboard/1")
        self.assertEqual(stream.status, 200)
        self.read(stream, b'"live":"scoreboard/1/*/*"')
        answered = self.served.time_of_send("scoreboard/1/home/1", "onePointMove")
        self.read(stream, b'"score"')
        late = time.time() * 1_000 - answered
        print(f"== {self.id().split('_')[-1]}: move answered to event through the proxy: {max(0, late):.0f} ms")
        self.assertLess(late, 2_000)

    def read(self, stream, text):
        """Reads up to a line that has the text."""
        while text not in (line := stream.readline()):
            self.assertNotEqual(line, b"", "the stream has ended")

    def check_scoring(self):
        link = self.served.link()
        self.assertTrue(link.startswith(f"https://{NAME}/pair#"), link)
        headers = {"Origin": f"https://{NAME}:{self.port}", "Content-Type": "application/json"}
        paired = self.request("POST", "/pair", '{"link":"%s"}' % link.split("#")[1], headers)
        self.assertEqual(paired.status, 200)
        cookie = paired.getheader("Set-Cookie")
        self.assertIn("; Secure", cookie)
        headers["Cookie"] = cookie.split(";")[0]
        tap = '{"to":"scoreboard/1/home/1","event":"onePointMove","key":"a"}'
        self.assertEqual(self.request("POST", "/send", tap, headers).status, 200)
        self.assertEqual(self.served.score(), (2, 0))


class Named(http.client.HTTPSConnection):
    """A connection to this machine that asks for the name in TLS."""

    def __init__(self, port, context):
        super().__init__("127.0.0.1", port, context=context, timeout=30)
        self.trusting = context

    def connect(self):
        http.client.HTTPConnection.connect(self)
        self.sock = self.trusting.wrap_socket(self.sock, server_hostname=NAME)


if __name__ == "__main__":
    unittest.main()
