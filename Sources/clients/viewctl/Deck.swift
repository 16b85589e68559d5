import BusdEventLoop
import BusdProtocol
import Glibc

/// The cards of a file, and the name of their book.
struct Deck {
    let name: Name
    let cards: [Card]
    /// For each card the line in which it begins, counted from 1.
    let lines: [Int]
    /// Problems of lines that are no cards.
    let problems: [String]

    enum Failure: Error, Equatable {
        case unreadable(String)
        case isTooLarge
        case isNotText
        case badName(String, NameProblem)
    }

    /// Far more than any real deck.
    static let mostBytes = 256 << 20

    /// - Parameters:
    ///   - path: the path of a file, or `-` for standard input.
    ///   - name: the name of the book; nil: the deck's name in the file, else the file's name.
    init(path: String, name: String?) throws(Failure) {
        let text = CardText(try Self.text(path))
        let name = name ?? text.deck ?? Self.name(of: path)
        do throws(NameProblem) {
            self.name = try Name(name)
        } catch {
            throw .badName(name, error)
        }
        cards = text.cards
        lines = text.lines
        problems = text.problems
    }

    /// The file's name without its folder and extension.
    static func name(of path: String) -> String {
        let file = path == "-" ? "" : path.split(separator: "/").last ?? ""
        guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return String(file) }
        return String(file[..<dot])
    }

    private static func text(_ path: String) throws(Failure) -> String {
        let bytes = try bytes(path)
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw .isNotText
        }
        return text
    }

    private static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        let number = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        let file = Descriptor(file: number)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(file.number, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk[..<count]
                if bytes.count > mostBytes { throw .isTooLarge }
            } else if errno != EINTR {
                throw .unreadable(String(cString: strerror(errno)))
            }
        }
    }
}
