import Glibc

/// The character set of the terminal, as the environment names it.
enum Locale {
    /// False where text other than ASCII cannot be shown for certain. Asking sets the process up:
    /// the widths of characters, and ncurses, go by this.
    ///
    /// Where the environment names no character set at all, as in a bare container, it is UTF-8: it
    /// is what terminals speak.
    static let isUTF8: Bool = {
        setlocale(LC_CTYPE, "")
        if characterSet == "ANSI_X3.4-1968" { setlocale(LC_CTYPE, "C.UTF-8") }
        return characterSet == "UTF-8"
    }()

    private static var characterSet: String {
        nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
    }
}
