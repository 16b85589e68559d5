import BusdDeck
import BusdEventLoop
import BusdFiles
import Glibc

/// The bytes of a file of cards, in UTF-8.
struct DeckFile {
    enum Failure: Error, Equatable {
        case unreadable(String)
        case isTooLarge
        case isNotText(Deck.Encoding)
    }

    let bytes: [UInt8]

    /// Eight times the cards of a book. Reading this takes about a second.
    static let mostBytes = 16 << 20

    /// - Parameter path: `-` is standard input.
    init(path: String) throws(Failure) {
        let bytes = try Self.bytes(path)
        do throws(Deck.Encoding) {
            self.bytes = try Deck.utf8(bytes)
        } catch {
            throw .isNotText(error)
        }
    }

    private static func bytes(_ path: String) throws(Failure) -> [UInt8] {
        do {
            let file =
                path == "-"
                ? Descriptor(file: dup(STDIN_FILENO)) : try Descriptor(opening: path, .named)
            return try file.readAll(most: mostBytes)
        } catch .tooLarge {
            throw .isTooLarge
        } catch {
            throw .unreadable(error.reason(of: path))
        }
    }
}
