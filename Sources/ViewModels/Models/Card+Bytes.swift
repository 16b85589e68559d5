import BusdProtocol

extension Card {
    /// Approximate bytes that the card takes in a library.
    package var bytes: Int { Books.bytesBesidesTexts + front.utf8.count + back.utf8.count }
}

extension [Card] {
    package var bytes: Int { reduce(0) { $0 + $1.bytes } }
}
