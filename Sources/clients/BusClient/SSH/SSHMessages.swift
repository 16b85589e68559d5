import BusdEventLoop
import Glibc

/// The standard error of ssh. Its messages go to this program's standard error, unless a screen
/// uses the terminal: then the last line is the reason of a lost connection.
final class SSHMessages {
    var isForwarding: Bool
    private static let mostKept = 1_024
    private let descriptor: Descriptor
    private var event: DescriptorEvent?
    private var kept: [UInt8] = []

    init(_ loop: Loop, _ descriptor: Descriptor, isForwarding: Bool) throws(SystemError) {
        self.descriptor = descriptor
        self.isForwarding = isForwarding
        event = DescriptorEvent(loop: loop, descriptor: descriptor.number) { [weak self] _ in
            self?.readAll()
        }
        try event?.watch(for: .readable)
    }

    // The event goes first: it must not outlive the descriptor.
    deinit { event = nil }

    /// Reads the messages that have arrived.
    func readAll() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            switch buffer.withUnsafeMutableBytes({ descriptor.read(into: $0) }) {
            case .bytes(let count): take(buffer[..<count])
            case .wouldBlock: return
            case .ended, .failed:
                event = nil
                return
            }
        }
    }

    private func take(_ bytes: ArraySlice<UInt8>) {
        if isForwarding {
            _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
        kept = (kept + bytes).suffix(Self.mostKept)
    }

    /// The last line that is not empty.
    var lastLine: String? {
        let lines = kept.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.last.map { String(decoding: $0, as: UTF8.self) }
    }
}
