package import BusdEventLoop
import Glibc
import TestSupport

/// The daemon's side of the socket, controlled by the test.
package final class FakeDaemon {
    /// The result of the next attempts to connect.
    package enum Acceptance {
        case accepts
        case closed(Int32)
        case backlogFull
    }

    package var acceptance = Acceptance.accepts
    /// Attempts to connect so far.
    package private(set) var attempts = 0
    private var far: Descriptor?
    /// The beginning of a line.
    private var unfinished = ""

    package init() {}

    package func dial() -> Connecting {
        attempts += 1
        switch acceptance {
        case .backlogFull: return .backlogFull
        case .closed(let code): return .failed(SystemError(code: code, function: "connect"))
        case .accepts: break
        }
        do {
            let (near, far) = try socketPair()
            (self.far, unfinished) = (far, "")
            return .connected(near)
        } catch {
            return .failed(error)
        }
    }

    /// Sends whole lines, or any bytes.
    package func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, case .bytes(let count) = rest.withUnsafeBytes({ far?.write($0) }) {
            rest = rest.dropFirst(count)
        }
    }

    package func send(_ lines: [String]) { for line in lines { send(line + "\n") } }

    /// The lines received since the last call.
    package func take() -> [String] {
        let text = unfinished + (far?.readText().text ?? "")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        unfinished = String(lines.last ?? "")
        return lines.dropLast().map(String.init)
    }

    /// The client sees it at once. A child of another test has a copy of the descriptor until it
    /// runs its program, so closing it may not suffice.
    package func hangUp() {
        if let far { shutdown(far.number, Int32(SHUT_RDWR)) }
        far = nil
    }

    /// Closes the connection, and refuses new ones.
    package func stop() {
        acceptance = .closed(ECONNREFUSED)
        hangUp()
    }
}
