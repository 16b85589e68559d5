import CBusdNcurses
import Glibc

extension Screen {
    /// Wait for this descriptor: call `readKeys` when it is readable.
    public var inputDescriptor: Int32 { STDIN_FILENO }

    /// All keys that have arrived; nil if the terminal is gone, so that no more can arrive.
    public func readKeys() -> [Key]? {
        var keys: [Key] = []
        var count = 0
        // Limited, so that endless input does not block the loop.
        while count < 1024, let input = nextInput() {
            count += 1
            if let key = key(of: input) { keys.append(key) }
        }
        return count == 0 && isHungUp ? nil : EscapeSequences.removed(from: keys)
    }

    private enum Input {
        case character(UInt32)
        case code(UInt32)
        case mouse(Key?)
    }

    /// Nil: there is nothing to read.
    private func nextInput() -> Input? {
        var character = wint_t()
        switch wget_wch(busd_stdscr(), &character) {
        case OK: return .character(character)
        case KEY_CODE_YES where character == KEY_MOUSE:
            var event = MEVENT()
            guard getmouse(&event) == OK else { return .mouse(nil) }
            let point = Point(column: Int(event.x), row: Int(event.y))
            return .mouse(KeyDecoder.key(mouse: event.bstate, at: point))
        case KEY_CODE_YES: return .code(character)
        default: return nil
        }
    }

    /// Nil for input that is no `Key`, and for a part of a paste.
    private func key(of input: Input) -> Key? {
        if paste != nil { return pastedKey(of: input) }
        switch input {
        case .character(let character): return KeyDecoder.key(character: character)
        case .mouse(let key): return key
        case .code(let code) where BracketedPaste.isBeginning(code: code):
            paste = BracketedPaste()
            return nil
        case .code(let code): return Int32(exactly: code).flatMap(KeyDecoder.key(code:))
        }
    }

    private func pastedKey(of input: Input) -> Key? {
        switch input {
        case .character(let character):
            paste?.add(character)
            return nil
        case .code(let code) where BracketedPaste.isEnding(code: code):
            defer { paste = nil }
            return paste.map { .paste($0.text) }
        case .code, .mouse: return nil
        }
    }

    private var isHungUp: Bool {
        var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 0) > 0 else { return false }
        // It is readable, but ncurses has read nothing: this is the end of input.
        return true
    }
}
