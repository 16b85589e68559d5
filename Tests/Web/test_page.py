"""A page of somebody's own, Examples/Page: with the daemon of Examples/Shopping, behind caddy, in real browsers."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from browsers import BrowserCase, left_out, text
from served import Served, free_port, wait_until

ROOT = pathlib.Path(__file__).parent.parent.parent
SHOPPINGD = pathlib.Path(os.environ["BUSD_PROGRAMS"]).parent / "examples" / "debug" / "shoppingd"
ITEMS = """
return [...document.querySelectorAll('li')].map(row =>
  row.textContent + (row.querySelector('input').checked ? ' x' : ''))
"""


class Page(BrowserCase):
    def setUp(self):
        for name, program in (("caddy", shutil.which("caddy")), ("shoppingd", SHOPPINGD)):
            if not program or not os.path.exists(program):
                left_out.append(f"Examples/Page: {name} is missing")
                self.skipTest(f"no {name}")
        self.served = Served(program=SHOPPINGD)
        self.addCleanup(self.served.close)
        self.served.restart_web(*self.served.scoring)
        self.site = f"http://127.0.0.1:{free_port()}"
        folder = self.served.path
        changes = {
            "list.example.org {": f"{self.site} {{",
            "127.0.0.1:8080": f"127.0.0.1:{self.served.port}",
            "/srv/list": str(ROOT / "Examples" / "Page"),
        }
        configuration = (ROOT / "Examples" / "Page" / "Caddyfile").read_text()
        for old, new in changes.items():
            self.assertIn(old, configuration)
            configuration = configuration.replace(old, new)
        (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + configuration)
        proxy = subprocess.Popen(
            ["caddy", "run", "--adapter", "caddyfile", "--config", folder / "Caddyfile"],
            env={**os.environ, "XDG_DATA_HOME": str(folder), "HOME": str(folder)},
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(proxy.wait)
        self.addCleanup(proxy.terminate)

    def test_a_list_is_changed_and_followed(self):
        def check(browser):
            items = lambda: browser.execute_script(ITEMS)
            link = self.served.link(to="shopping/**").replace(self.served.url, self.site)
            browser.get(link)
            wait_until(lambda: browser.current_url == self.site + "/list.html")
            browser.execute_script(
                "document.querySelector('[name=text]').value = 'milk <b>'; document.forms[0].requestSubmit()"
            )
            wait_until(lambda: items() == ["milk <b>"])
            self.served.send("shopping/home", "add", '{"text":"tea"}')
            wait_until(lambda: items() == ["milk <b>", "tea"])
            values = self.served.run("viewctl", "get", "shopping/home", "--json").splitlines()
            tea = json.loads(values[0])["items"]["items"][1]["id"]
            self.served.send("shopping/home", "move", json.dumps({"item": tea, "to": 0}))
            wait_until(lambda: items() == ["tea", "milk <b>"])
            browser.execute_script("document.querySelector('li input').click()")
            wait_until(lambda: items() == ["tea x", "milk <b>"])
            self.served.end(self.served.web)
            wait_until(lambda: "not live" in text(browser, "#live"))
            self.served.start_web()
            wait_until(lambda: text(browser, "#live") == "")
            for count in (2, 2, 1, 0):
                browser.execute_script("document.querySelector('#undo').click()")
                wait_until(lambda: len(items()) == count)
            self.assertEqual(text(browser, "#said"), "")

        self.in_each_browser(check)


if __name__ == "__main__":
    unittest.main()
