import BusdBooksEvents
import BusdProtocol

extension Card {
    /// Approximate bytes that the card takes in a library.
    var bytes: Int { Books.bytesBesidesTexts + front.utf8.count + back.utf8.count }
}

extension [Card] {
    var bytes: Int { reduce(0) { $0 + $1.bytes } }
}
