import CNcurses
import Glibc

extension Screen {
    /// What to wait on: call `readKeys` when it can be read.
    public var inputDescriptor: Int32 { STDIN_FILENO }

    /// All keys that have come; nil when none can come any more, because the terminal is gone.
    public func readKeys() -> [Key]? {
        var keys: [Key] = []
        // A paste without end must not hold up everything else.
        for _ in 0..<1024 {
            guard let key = nextKey() else { break }
            if let key { keys.append(key) }
        }
        return keys.isEmpty && isHungUp ? nil : EscapeSequences.removed(from: keys)
    }

    /// Nil: there is nothing to read. Nil inside: something that is no key of ours.
    private func nextKey() -> Key?? {
        var character = wint_t()
        switch wget_wch(busd_stdscr(), &character) {
        case OK: return .some(KeyDecoder.key(character: character))
        case KEY_CODE_YES where character == KEY_MOUSE:
            var event = MEVENT()
            guard getmouse(&event) == OK else { return .some(nil) }
            let point = Point(column: Int(event.x), row: Int(event.y))
            return .some(KeyDecoder.key(mouse: event.bstate, at: point))
        case KEY_CODE_YES:
            return .some(Int32(exactly: character).flatMap(KeyDecoder.key(code:)))
        default: return nil
        }
    }

    private var isHungUp: Bool {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return false }
        // Readable, and yet ncurses found nothing in it.
        return true
    }
}
