/// What a daemon is asked that has the store open, and so alone can do it: by `busd backup` and
/// `busd user`, through a socket in the folder of the store, which only the folder's owner reaches.
///
/// The errand is a line, tabs between its words. The daemon answers, closes its side, and takes the
/// matter as settled when the other one has closed too.
enum Errand: Equatable {
    /// A copy of the store, written beside it: whoever asked moves it to where it is wanted, before
    /// it closes.
    case backup
    case user(UserErrand)

    static func socket(in folder: String) -> String { "\(folder)/errands.sock" }

    /// Of a line that is longer nothing is read.
    static let longestLine = 2_048

    var line: String {
        switch self {
        case .backup: "backup"
        case .user(.add(let name, let hash)): "add\t\(name)\t\(hash)"
        case .user(.remove(let name)): "remove\t\(name)"
        case .user(.list): "list"
        }
    }

    init?(line: String) {
        let words = line.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        switch (words.first, words.count) {
        case ("backup", 1): self = .backup
        case ("add", 3): self = .user(.add(name: words[1], hash: words[2]))
        case ("remove", 2): self = .user(.remove(words[1]))
        case ("list", 1): self = .user(.list)
        default: return nil
        }
    }
}

/// What the errand came to: what is to be printed, line by line, or why it was not done.
enum ErrandAnswer: Equatable {
    case done(String)
    case refused(String)

    /// Bytes of an answer, at most: the names of ten thousand users fit.
    static let mostBytes = 4 << 20
    private static let end: Unicode.Scalar = "\u{4}"

    var text: String {
        switch self {
        case .done(let text): "+\(text)\(Self.end)"
        case .refused(let reason): "-\(reason)\(Self.end)"
        }
    }

    /// `nil` for a text that is not whole.
    init?(text: String) {
        // By scalars: a combining mark at the start of the answer would join the sign before it.
        let scalars = text.unicodeScalars
        guard scalars.last == Self.end else { return nil }
        let answer = String(scalars.dropFirst().dropLast())
        switch scalars.first {
        case "+": self = .done(answer)
        case "-": self = .refused(answer)
        default: return nil
        }
    }
}
