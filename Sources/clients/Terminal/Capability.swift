import CBusdNcurses
import Glibc

/// A string capability of the terminal, from terminfo(5). Available after ncurses has identified
/// the terminal.
struct Capability {
    /// The bytes to send; empty if the terminal does not have the capability.
    let bytes: [UInt8]

    /// - Parameter name: the name in terminfo, such as `rmcup`.
    init(_ name: String) {
        guard let text = tigetstr(name), Int(bitPattern: text) != -1 else {
            bytes = []
            return
        }
        let whole = UnsafeBufferPointer(start: text, count: strlen(text))
        bytes = Self.withoutDelays(whole.map { UInt8(bitPattern: $0) })
    }

    /// `$<5>` asks for a pause, which only very old terminals need.
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
