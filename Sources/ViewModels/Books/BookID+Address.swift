package import BusdProtocol

// The address of the view model of a book: study/ID.

extension BookID {
    /// The book that is studied at the address.
    init?(studiedAt address: Address) { self.init(of: Study.self, at: address) }

    package init?(ofPart address: Address) { self.init(of: Study.self, atOrAbove: address) }

    package var address: Address { address(of: Study.self) }
}
