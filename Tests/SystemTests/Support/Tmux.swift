import Glibc
import TestSupport
import Testing

/// Terminals of known size, which a test reads and types into.
final class Tmux {
    private let folder: Folder

    init() throws { folder = try Folder() }

    deinit { _ = try? tmux("kill-server") }

    /// Opens a terminal that runs a shell command. The other methods find it by its name.
    func open(_ name: String, columns: Int = 100, rows: Int = 32, _ command: String) throws {
        try tmux(
            "new-session", "-d", "-s", name, "-x", "\(columns)", "-y", "\(rows)",
            "\(command); echo ended with $?; exec cat"
        ).expect()
    }

    func press(_ keys: String..., in name: String) throws {
        for key in keys { try tmux("send-keys", "-t", name, key).expect() }
    }

    /// Pastes text, as a bracketed paste if the program has asked for that.
    func paste(_ text: String, in name: String) throws {
        try folder.write(text, to: "paste")
        try tmux("load-buffer", folder("paste")).expect()
        try tmux("paste-buffer", "-p", "-t", name).expect()
    }

    func resize(_ name: String, columns: Int, rows: Int) throws {
        try tmux("resize-window", "-t", name, "-x", "\(columns)", "-y", "\(rows)").expect()
    }

    func screen(_ name: String) throws -> String {
        let screen = try tmux("capture-pane", "-p", "-t", name).output
        keep(picture: screen, named: "\(name).txt")
        return screen
    }

    func showsCursor(_ name: String) throws -> Bool {
        try tmux("display-message", "-p", "-t", name, "#{cursor_flag}").output == "1\n"
    }

    /// Waits until the terminal shows this.
    func awaitText(_ pattern: Regex<Substring>, _ awaited: String, in name: String) throws {
        try eventually(awaited) {
            try screen(name)
        } is: {
            $0.firstMatch(of: pattern) != nil
        }
    }

    @discardableResult
    private func tmux(_ arguments: String...) throws -> Child.Outcome {
        let program = ["tmux", "-f", "/dev/null", "-S", folder("tmux")]
        return try Child(program + arguments, environment: ["SHELL": "/bin/bash"]).outcome()
    }
}
