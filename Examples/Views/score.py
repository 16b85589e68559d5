#!/usr/bin/env python3
# The score of a game, in Python: score.py [ADDRESS]
# Prints a line after each change. After a lost connection it connects again, and resumes.
import json
import os
import signal
import socket
import sys
import time

address = sys.argv[1] if len(sys.argv) > 1 else "scoreboard/1"
own = os.environ.get("XDG_RUNTIME_DIR", "/nonexistent") + "/busd/busd.sock"
default = own if os.path.exists(own) else "/run/busd/busd.sock"
path = os.environ.get("BUSD_SOCKET") or default
values, cursor, shown = {}, None, None
signal.signal(signal.SIGINT, signal.SIG_DFL)


def show():
    global shown
    teams, end = values["teams"], "  final" if values["finished"]["isFinished"] else ""
    line = f"{teams['home']} {values['score']['text']} {teams['away']}{end}"
    if line != shown:
        print(line, flush=True)
    shown = line


def follow(bus):
    """Reads until the daemon closes the connection."""
    global cursor
    only = ["teams", "score", "finished"]
    request = {"op": "subscribe", "to": address, "as": "score.py", "only": only}
    request |= {"since": cursor} if cursor else {}
    bus.sendall(json.dumps(request).encode() + b"\n")
    live = False
    for line in map(json.loads, bus.makefile("rb")):
        if "error" in line:
            sys.exit("score.py: " + line["error"]["message"])
        if "gone" in line:
            sys.exit(f"score.py: {address} is gone")
        if "event" in line:
            values.update(line["event"])
            if cursor and not line.get("snapshot"):
                cursor = f"{cursor.split(':')[0]}:{line['seq']}"
        if "live" in line:
            cursor, live = line["cursor"], True
        live = live and "gap" not in line
        # An update may have several events: all but the last have `more`.
        if live and not line.get("more"):
            show()


while True:
    with socket.socket(socket.AF_UNIX) as bus:
        try:
            bus.connect(path)
            follow(bus)
        except (OSError, ValueError):
            pass
    time.sleep(0.2)
