import BusdBooksEvents
import BusdProtocol

// The addresses of the view models of a book: study/ID and cards/ID.

extension BookID {
    /// The book that is studied at the address.
    init?(studiedAt address: Address) { self.init(of: Study.self, at: address) }

    /// The book of `cards/BOOK`; `nil` for another address.
    init?(ofCardsAt address: Address) { self.init(of: Cards.self, at: address) }

    init?(ofPart address: Address) { self.init(of: Study.self, atOrAbove: address) }

    var address: Address { address(of: Study.self) }

    var cardsAddress: Address { address(of: Cards.self) }
}
