import BusdEventLoop
import BusdHTTP

/// The stream of the first page: the newest games, after each change.
///
/// A browser that does not read gets the list as it is when it reads again.
final class GamesStream: HTTPStream {
    private let board: GamesBoard
    private var heartbeat: Heartbeat?
    /// The part of a line that was not sent yet.
    private var rest: ArraySlice<UInt8> = []
    private var events = EventWriter()
    private var isNew = true
    /// busd has answered, and the page does not know it yet.
    private var lives = false

    /// - Parameter wake: called when `read` has something again.
    init(loop: Loop, board: GamesBoard, wake: @escaping () -> Void) {
        self.board = board
        heartbeat = Heartbeat(loop: loop) { [weak self] in
            board.ask { result in
                guard let self, case .success = result else { return }
                self.lives = true
                wake()
            }
        }
        board.watch(self) { [weak self] in
            self?.isNew = true
            wake()
        }
    }

    /// As busd itself writes it (docs/protocol.md).
    private static let signOfLife = Array("{\"ping\":1}\n".utf8)

    deinit { board.unwatch(self) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamRead {
        if rest.isEmpty {
            guard board.newest != nil else { return .ended }
            guard let line = nextLine() else { return .later }
            rest = line[...]
            heartbeat?.heard()
        }
        let piece = rest.prefix(EventWriter.mostInput(for: buffer.count))
        guard !piece.isEmpty else { return .ended }
        rest.removeFirst(piece.count)
        return .bytes(events.write(piece, to: buffer))
    }

    private func nextLine() -> [UInt8]? {
        if isNew {
            isNew = false
            return board.line
        }
        guard lives else { return nil }
        lives = false
        return Self.signOfLife
    }
}
