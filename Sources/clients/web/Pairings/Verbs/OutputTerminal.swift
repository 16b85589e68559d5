import Glibc

/// The terminal that standard output is.
struct OutputTerminal: Equatable {
    let columns: Int
    /// It shows characters that are not ASCII.
    let isUTF8: Bool
    let isColoured: Bool

    /// `nil`: standard output is a file or a pipe.
    static var ofProcess: OutputTerminal? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        setlocale(LC_CTYPE, "")
        let encoding = nl_langinfo(nl_item(CODESET)).map { String(cString: $0) }
        return OutputTerminal(
            columns: isKnown ? Int(clamping: size.ws_col) : 80, isUTF8: encoding == "UTF-8",
            isColoured: allowsColours { getenv($0).map { String(cString: $0) } })
    }

    /// Whether the environment allows colours.
    static func allowsColours(_ variable: (String) -> String?) -> Bool {
        if let value = variable("NO_COLOR"), !value.isEmpty { return false }
        guard let terminal = variable("TERM") else { return false }
        return terminal != "dumb" && !terminal.isEmpty
    }
}
