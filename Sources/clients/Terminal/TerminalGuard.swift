import CNcurses
import CSystem
import Glibc

/// Restores the terminal where the process ends without letting go of the screen.
struct TerminalGuard {
    /// Once ncurses knows the terminal; it takes the modes of this moment for the right ones.
    init() {
        let bytes = Self.leaving
        if busd_guard_terminal(STDOUT_FILENO, bytes, bytes.count) != 0 { return }
    }

    func dismiss() { busd_unguard_terminal() }

    /// What makes the terminal plain again: no mouse, no colours, keys and cursor as usual, and the
    /// screen that was there before.
    private static var leaving: [UInt8] {
        let capabilities = ["sgr0", "cnorm", "rmkx", "rmcup"].flatMap {
            withoutDelays(bytes(of: $0))
        }
        let mouseOff = bytes(of: "kmous").isEmpty ? [] : Array("\u{1B}[?1000l\u{1B}[?1006l".utf8)
        return mouseOff + capabilities
    }

    /// A terminal's capability by its terminfo name; empty where it has none.
    private static func bytes(of capability: String) -> [UInt8] {
        guard let text = tigetstr(capability), Int(bitPattern: text) != -1 else { return [] }
        return Array(UnsafeBufferPointer(start: text, count: strlen(text))).map(
            UInt8.init(bitPattern:))
    }

    /// `$<5>` asks for a pause that only a very old terminal needs.
    private static func withoutDelays(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.first {
            if rest.starts(with: "$<".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")) {
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }
}
