"""A view socket between busd and busd-web that changes what busd says.

So a page gets texts that busd refuses, and events that only a later version sends.
"""

import socket
import threading


class Meddler:
    def __init__(self, path, target, change):
        """`change` gets each line of busd, and returns the lines that busd-web gets instead."""
        self.target, self.change = str(target), change
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(str(path))
        self.server.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            bus = socket.socket(socket.AF_UNIX)
            bus.connect(self.target)
            for source, sink, change in ((client, bus, lambda line: [line]), (bus, client, self.change)):
                threading.Thread(target=pass_on, args=(source, sink, change), daemon=True).start()

    def close(self):
        self.server.close()


def pass_on(source, sink, change):
    """Copies lines until one of the two has ended, and then ends the other."""
    try:
        for line in source.makefile("rb"):
            for changed in change(line):
                sink.sendall(changed)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
