import BusdEventLoop
import BusdHTTP

/// A browser's stream of a shared page: the page's line, after each change.
///
/// A browser that does not read gets the newest line when it reads again.
final class SharedStream: HTTPStream {
    private let page: SharedPage
    private var heartbeat: Heartbeat?
    /// The part of a line that was not sent yet.
    private var rest: ArraySlice<UInt8> = []
    private var events = EventWriter()
    private var isNew = true
    /// busd has answered, and the browser does not know it yet.
    private var lives = false

    /// - Parameters:
    ///   - silence: the time after which it asks busd for a sign of life, in microseconds.
    ///   - wake: called when `read` has something again.
    init(
        loop: Loop, page: SharedPage, silence: Int64 = Heartbeat.usualSilence,
        wake: @escaping () -> Void
    ) {
        self.page = page
        heartbeat = Heartbeat(loop: loop, silence: silence) { [weak self] in
            page.ask { result in
                guard let self, case .success = result else { return }
                self.lives = true
                wake()
            }
        }
        page.watch(self) { [weak self] in
            self?.isNew = true
            wake()
        }
    }

    /// As busd itself writes it (docs/protocol.md).
    private static let signOfLife = Array("{\"ping\":1}\n".utf8)

    deinit { page.unwatch(self) }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> HTTPStreamRead {
        if rest.isEmpty {
            guard !page.line.isEmpty else { return .ended }
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
            return page.line
        }
        guard lives else { return nil }
        lives = false
        return Self.signOfLife
    }
}
