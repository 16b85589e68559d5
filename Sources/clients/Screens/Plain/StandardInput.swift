import BusdClient
import Glibc

/// Reads lines from standard input, and detects that a pipe or socket has ended. The end of a
/// terminal, a file and `/dev/null` does not count: it does not mean that a process has ended.
final class StandardInput {
    private let loop: ClientLoop
    private var watch: ClientLoop.Watch?
    private var unfinished: [UInt8] = []

    /// A longer line is cut.
    private static let longestLine = 4096

    init(_ loop: ClientLoop) { self.loop = loop }

    /// - Parameter line: nil: only the end of a pipe is of interest.
    func watch(_ line: ((String) -> Void)?, ended: @escaping () -> Void) throws(LoopFailure) {
        let isPipe = Self.isPipe
        guard isPipe || line != nil && Self.isReadable else { return }
        watch = try loop.whenReadable(STDIN_FILENO) { [weak self] in
            guard let self, !read(line) else { return }
            watch = nil
            if isPipe { ended() }
        }
    }

    /// Reads once. Returns false at the end.
    private func read(_ line: ((String) -> Void)?) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        guard let line else { return count > 0 }
        for byte in buffer.prefix(count) {
            if byte == UInt8(ascii: "\n") {
                finish(line)
            } else if unfinished.count < Self.longestLine {
                unfinished.append(byte)
            }
        }
        if count == 0, !unfinished.isEmpty { finish(line) }
        return count > 0
    }

    private func finish(_ line: (String) -> Void) {
        let words = unfinished.split { $0 <= UInt8(ascii: " ") }
        unfinished = []
        guard !words.isEmpty else { return }
        let bytes = Array(words.joined(separator: [UInt8(ascii: " ")]))
        line(String(decoding: bytes, as: UTF8.self))
    }

    private static var isPipe: Bool { [S_IFIFO, S_IFSOCK].contains(kind) }

    /// A file, or a terminal that would not stop this process because it is in the background.
    private static var isReadable: Bool {
        kind == S_IFREG || tcgetpgrp(STDIN_FILENO) == getpgrp()
    }

    private static var kind: mode_t {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return 0 }
        return status.st_mode & S_IFMT
    }
}
