import BusdClient
import Glibc

/// Detects that a pipe or socket at standard input has ended. A terminal, a file and `/dev/null` do
/// not count: their end does not mean that a process has ended.
final class EndOfInput {
    private let loop: ClientLoop
    private var watch: ClientLoop.Watch?

    init(_ loop: ClientLoop) { self.loop = loop }

    func watch(_ ended: @escaping () -> Void) throws(LoopFailure) {
        guard Self.isPipe else { return }
        watch = try loop.whenReadable(STDIN_FILENO) { [weak self] in
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(STDIN_FILENO, &buffer, buffer.count)
            let isEnd = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
            guard isEnd else { return }
            self?.watch = nil
            ended()
        }
    }

    private static var isPipe: Bool {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }
}
