import BusdProtocol
import Glibc
import TestSupport

@testable import BusdClient
@testable import BusdEventLoop

/// The daemon's side of the socket, controlled by the test.
final class FakeDaemon {
    /// The result of the next attempts to connect.
    enum Acceptance {
        case accepts
        case closed(Int32)
        case backlogFull
    }

    var acceptance = Acceptance.accepts
    /// Attempts to connect so far.
    private(set) var attempts = 0
    private var far: Descriptor?
    private var input = LineBuffer(longest: 1 << 20)

    func dial() -> Connecting {
        attempts += 1
        switch acceptance {
        case .backlogFull: return .backlogFull
        case .closed(let code): return .failed(SystemError(code: code, function: "connect"))
        case .accepts: break
        }
        do {
            let (near, far) = try socketPair()
            self.far = far
            input = LineBuffer(longest: 1 << 20)
            return .connected(near)
        } catch {
            return .failed(error)
        }
    }

    /// Sends whole lines, or any bytes.
    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, case .bytes(let count) = rest.withUnsafeBytes({ far?.write($0) }) {
            rest = rest.dropFirst(count)
        }
    }

    func send(_ lines: [String]) { for line in lines { send(line + "\n") } }

    /// The lines received since the last call.
    func take() -> [String] {
        while let far, case .bytes = input.fill({ far.read(into: $0) }) {}
        var lines: [String] = []
        while let line = input.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    func hangUp() { far = nil }

    /// Closes the connection, and refuses new ones.
    func stop() {
        acceptance = .closed(ECONNREFUSED)
        hangUp()
    }
}
