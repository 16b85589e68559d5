package import Protocol

/// View models by their addresses, in order: those below an address stand together.
///
/// It is cut into pieces of some hundreds, so that who comes or goes moves the others of one piece
/// and no more.
package struct AddressIndex {
    private struct Entry {
        let address: Address
        let model: ModelID
    }

    /// Where an address stands, or would.
    private struct Place: Equatable {
        var piece: Int
        var entry: Int
    }

    private static let longestPiece = 512

    /// None of them is empty.
    private var pieces: [[Entry]] = []
    package private(set) var count = 0

    package init() {}

    package mutating func insert(_ model: ModelID, at address: Address) {
        let entry = Entry(address: address, model: model)
        var place = place(of: address.text)
        if place.piece == pieces.count {
            guard let last = pieces.indices.last else {
                pieces = [[entry]]
                count = 1
                return
            }
            place = Place(piece: last, entry: pieces[last].count)
        }
        count += 1
        pieces[place.piece].insert(entry, at: place.entry)
        if pieces[place.piece].count > Self.longestPiece { cut(place.piece) }
    }

    private mutating func cut(_ piece: Int) {
        let half = pieces[piece].count / 2
        pieces.insert(Array(pieces[piece][half...]), at: piece + 1)
        pieces[piece].removeSubrange(half...)
    }

    package mutating func remove(_ model: ModelID, at address: Address) {
        let place = place(of: address.text)
        guard place.piece < pieces.count, pieces[place.piece][place.entry].model == model else {
            return
        }
        count -= 1
        pieces[place.piece].remove(at: place.entry)
        if pieces[place.piece].isEmpty { pieces.remove(at: place.piece) }
    }

    // MARK: Finding

    /// Those from `start` to before `end`, which need not be addresses.
    package func forEach(from start: String, to end: String, _ body: (Address, ModelID) -> Void) {
        let (first, end) = (place(of: start), place(of: end))
        for piece in first.piece..<pieces.count where piece <= end.piece {
            let from = piece == first.piece ? first.entry : 0
            let to = piece == end.piece ? end.entry : pieces[piece].count
            for entry in pieces[piece][from..<to] { body(entry.address, entry.model) }
        }
    }

    /// Those below an address, the deepest last.
    package func below(_ address: Address) -> [ModelID] {
        var found: [ModelID] = []
        // "0" is what comes after "/".
        forEach(from: address.text + "/", to: address.text + "0") { found.append($1) }
        return found
    }

    /// As many addresses as are wanted of those that stand beside a text, the nearest first.
    func beside(_ text: String, most: Int) -> [String] {
        var after = place(of: text)
        var before = after
        var found: [String] = []
        while found.count < most, found.count < count {
            if after.piece < pieces.count {
                found.append(pieces[after.piece][after.entry].address.text)
                after = next(after)
            }
            if let previous = previous(before) {
                found.append(pieces[previous.piece][previous.entry].address.text)
                before = previous
            }
        }
        return found
    }

    private func next(_ place: Place) -> Place {
        place.entry + 1 < pieces[place.piece].count
            ? Place(piece: place.piece, entry: place.entry + 1)
            : Place(piece: place.piece + 1, entry: 0)
    }

    private func previous(_ place: Place) -> Place? {
        if place.entry > 0 { return Place(piece: place.piece, entry: place.entry - 1) }
        guard place.piece > 0 else { return nil }
        return Place(piece: place.piece - 1, entry: pieces[place.piece - 1].count - 1)
    }

    /// The first that does not come before the text.
    private func place(of text: String) -> Place {
        let piece = firstIndex(in: pieces.indices) {
            pieces[$0].last.map { $0.address.text < text } ?? false
        }
        guard piece < pieces.count else { return Place(piece: piece, entry: 0) }
        let entry = firstIndex(in: pieces[piece].indices) { pieces[piece][$0].address.text < text }
        return Place(piece: piece, entry: entry)
    }

    /// The first of which that does not hold, where it holds for all before it and none behind.
    private func firstIndex(in range: Range<Int>, _ isBefore: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
