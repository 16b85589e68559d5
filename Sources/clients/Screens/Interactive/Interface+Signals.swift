import BusdClient
import BusdTerminal
import Glibc

extension Interface {
    /// Handles the signals of a program that uses the terminal.
    func watchSignals() throws(LoopFailure) -> [ClientLoop.Watch] {
        [
            try loop.whenSignalled(SIGINT) { [weak self] in self?.leave() },
            try loop.whenSignalled(SIGTERM) { [weak self] in self?.end(.signalled(SIGTERM)) },
            try loop.whenSignalled(SIGHUP) { [weak self] in self?.end(.signalled(SIGHUP)) },
            try loop.whenSignalled(SIGTSTP) { [weak self] in self?.screen?.suspend() },
            try loop.whenSignalled(SIGCONT) { [weak self] in
                self?.screen?.resume()
                self?.changed()
            },
            try loop.whenSignalled(SIGWINCH) { [weak self] in
                self?.screen?.resize()
                self?.changed()
            },
        ]
    }
}
