"""Pages that come later or from elsewhere: a game that is not there yet, a link of another site, a path of a proxy."""

import json
import os
import shutil
import subprocess
import unittest

from browsers import BrowserCase, is_shown, left_out, points, set_viewport, text
from other_site import OtherSite
from served import Served, free_port, wait_until

EMPTY = """
const background = getComputedStyle(document.body).backgroundColor;
return document.body.innerText.trim() === "" && background === "rgba(0, 0, 0, 0)";
"""
# Of each row of a table of values: the event, and the value.
ROWS = "return [...document.querySelectorAll('tbody tr')].map(r => [r.cells[0], r.cells[2]].map(c => c.textContent))"
WAITING = "return Object.keys(localStorage).filter(name => name.startsWith('tap ')).length"
TAP = "document.querySelector('.home tbody button').click(); document.querySelector('.moves button').click()"


class Elsewhere(BrowserCase):
    def setUp(self):
        self.served = Served()
        self.addCleanup(self.served.close)
        self.served.restart_web(*self.served.scoring)

    def prepare(self, browser):
        self.served.restart_with_empty_store()
        set_viewport(browser, 844, 500)

    def pair(self, browser, to="scoreboard/**"):
        browser.get(self.served.link(to=to))
        wait_until(lambda: "/pair" not in browser.current_url)

    def open_for_scoring(self, browser, url):
        browser.get(url)
        wait_until(lambda: is_shown(browser, "#undo"))

    def test_a_page_that_is_not_there_yet_comes_by_itself(self):
        def check(browser):
            browser.get(self.served.url + "/scoreboard/1")
            self.assertIn("No such game", text(browser, "h1"))
            self.served.end(self.served.web)
            self.served.start_web()
            self.served.create_game()
            wait_until(lambda: points(browser) == ("0", "0"), 30)

        self.in_each_browser(check)

    def test_an_overlay_without_its_game_shows_nothing(self):
        def check(browser):
            browser.get(self.served.url + "/scoreboard/1?overlay")
            self.assertTrue(browser.execute_script(EMPTY))
            self.served.end(self.served.bus)
            browser.refresh()
            self.assertTrue(browser.execute_script(EMPTY))
            self.served.start_bus()
            self.served.create_game()
            wait_until(lambda: points(browser) == ("0", "0"), 30)
            self.served.send("games", "deleteGame", '{"game":"1"}')
            wait_until(lambda: browser.execute_script(EMPTY))
            self.served.send("games", "restoreGame", '{"game":"1"}')
            wait_until(lambda: points(browser) == ("0", "0"), 30)

        self.in_each_browser(check)

    def test_a_list_of_any_view_model_follows_its_edits(self):
        def check(browser):
            rows = lambda: browser.execute_script(ROWS)
            self.served.send("books", "importBook", '{"name":"Kanji","cards":[{"front":"水","back":"water"}]}')
            browser.get(self.served.url + "/view/books")
            wait_until(lambda: any('"Kanji"' in value for _, value in rows()))
            self.served.send("books", "renameBook", '{"book":"1","from":"Kanji","to":"Kana"}')
            self.served.send("books", "importBook", '{"name":"Verbs","cards":[{"front":"go","back":"went"}]}')
            wait_until(lambda: any('"Kana"' in value and '"Verbs"' in value for _, value in rows()))
            self.assertFalse(any("Edited" in event or '"Kanji"' in value for event, value in rows()))

        self.in_each_browser(check)

    def test_a_phone_that_comes_by_a_link_of_another_site_keeps_the_score(self):
        """To a browser, localhost and 127.0.0.1 are two sites."""
        chat = OtherSite(f'<!doctype html><title>chat</title><a href="{self.served.url}/scoreboard/1">the game</a>')
        self.addCleanup(chat.close)

        def check(browser):
            self.served.create_game()
            self.pair(browser)
            browser.get(f"http://localhost:{chat.port}/")
            browser.find_element("css selector", "a").click()
            wait_until(lambda: is_shown(browser, "#undo"))
            browser.refresh()
            wait_until(lambda: is_shown(browser, "#undo"))

        self.in_each_browser(check)

    def test_taps_that_wait_are_shown_and_sent_from_each_page(self):
        def check(browser):
            for _ in range(2):
                self.served.create_game()
            self.pair(browser)
            pages = ("/", "/scoreboard/2", "/view/games", "/scoreboard/9")
            for count, path in enumerate(pages, 1):
                self.open_for_scoring(browser, self.served.url + "/scoreboard/1")
                self.served.end(self.served.bus)
                browser.execute_script(TAP)
                wait_until(lambda: "1 tap waits" in text(browser, "#waiting"))
                browser.get(self.served.url + path)
                wait_until(lambda: "1 tap waits" in text(browser, ".elsewhere"))
                self.assertIn("Game 1", text(browser, ".elsewhere"))
                self.served.start_bus()
                wait_until(lambda: self.served.score() == (count, 0), 40)
                wait_until(lambda: browser.execute_script(WAITING) == 0)
                wait_until(lambda: not is_shown(browser, ".elsewhere"))

        self.in_each_browser(check)

    def test_taps_for_a_game_that_was_deleted_can_be_discarded(self):
        def check(browser):
            self.served.create_game()
            self.pair(browser)
            self.open_for_scoring(browser, self.served.url + "/scoreboard/1")
            self.served.end(self.served.bus)
            browser.execute_script(TAP)
            wait_until(lambda: "1 tap waits" in text(browser, "#waiting"))
            self.served.restart_with_empty_store()
            browser.get(self.served.url + "/")
            wait_until(lambda: "the game is not there" in text(browser, ".elsewhere"))
            browser.execute_script("document.querySelector('.elsewhere [value=no]').click()")
            wait_until(lambda: not is_shown(browser, ".elsewhere"))
            self.assertEqual(browser.execute_script(WAITING), 0)

        self.in_each_browser(check)

    def test_the_site_below_a_path_of_a_proxy(self):
        nginx = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        if not nginx:
            left_out.append("nginx: it is not installed")
            self.skipTest("no nginx")
        folder, port = self.served.path, free_port()
        temporary = "".join(
            f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/nginx.pid; error_log stderr; events {{}}\n"
            f"http {{ access_log off; {temporary} server {{ listen 127.0.0.1:{port};\n"
            f"location /court/ {{ proxy_pass http://127.0.0.1:{self.served.port}/; proxy_http_version 1.1;\n"
            "proxy_set_header Host $http_host; proxy_buffering off; } } }\n"
        )
        os.chmod(folder, 0o755)
        words = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")]
        proxy = subprocess.Popen(words, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(proxy.wait)
        self.addCleanup(proxy.terminate)
        site = f"http://127.0.0.1:{port}/court"
        wait_until(lambda: Served.answers_at(port))

        def check(browser):
            self.served.create_game()
            browser.get(self.served.link(to="scoreboard/1/**").replace(self.served.url, site))
            wait_until(lambda: browser.current_url == site + "/scoreboard/1")
            wait_until(lambda: is_shown(browser, "#undo"))
            browser.execute_script(TAP)
            wait_until(lambda: points(browser) == ("1", "0"))
            browser.get(site + "/")
            wait_until(lambda: "1 - 0" in text(browser, "li") or "1-0" in text(browser, "li"))
            browser.find_element("css selector", "li a").click()
            wait_until(lambda: browser.current_url == site + "/scoreboard/1")
            self.served.send("books", "importBook", '{"name":"Kanji","cards":[{"front":"水","back":"water"}]}')
            for path in ("/view/books", "/view/scoreboard/1/home/1", "/a/b/none"):
                browser.get(site + path)
                self.assertEqual(
                    browser.execute_script("return document.querySelector('main a').href"), site + "/", path
                )
                self.assertEqual(browser.execute_script("return document.styleSheets[0].cssRules.length > 9"), True)

        self.in_each_browser(check)


if __name__ == "__main__":
    unittest.main()
