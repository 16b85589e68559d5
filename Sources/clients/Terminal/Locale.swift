import Glibc

/// The character set of the terminal, from the environment.
enum Locale {
    /// False if the terminal may not show text other than ASCII. The first use sets the locale of
    /// the process, which wcwidth(3) and ncurses need.
    ///
    /// If the environment names no character set, as in a bare container, UTF-8 is assumed, because
    /// terminals use it.
    static let isUTF8: Bool = {
        setlocale(LC_CTYPE, "")
        if characterSet == "ANSI_X3.4-1968" { setlocale(LC_CTYPE, "C.UTF-8") }
        return characterSet == "UTF-8"
    }()

    private static var characterSet: String {
        nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? ""
    }
}
