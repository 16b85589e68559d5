import BusdProtocol

/// The ids of the view models, in the order of their addresses. Those below an address follow it.
///
/// The list is kept in pieces of some hundreds: an insertion moves only the ids of its piece. The
/// addresses stay with the view models, because there may be a hundred thousand of them. So each
/// method takes a function that looks up the address of an id.
struct AddressIndex {
    typealias Lookup = (ModelID) -> Address

    /// Where an address stands, or would.
    private struct Place: Equatable {
        var piece: Int
        var entry: Int
    }

    private static let longestPiece = 512

    /// None of them is empty.
    private var pieces: [[ModelID]] = []

    init() {}

    mutating func insert(_ model: ModelID, _ address: Lookup) {
        var place = place(of: address(model).text, address)
        if place.piece == pieces.count {
            guard let last = pieces.indices.last else {
                pieces = [[model]]
                return
            }
            place = Place(piece: last, entry: pieces[last].count)
        }
        pieces[place.piece].insert(model, at: place.entry)
        if pieces[place.piece].count > Self.longestPiece { cut(place.piece) }
    }

    private mutating func cut(_ piece: Int) {
        let whole = pieces[piece]
        pieces[piece] = Array(whole[..<(whole.count / 2)])
        pieces.insert(Array(whole[(whole.count / 2)...]), at: piece + 1)
    }

    mutating func remove(_ model: ModelID, _ address: Lookup) {
        let place = place(of: address(model).text, address)
        pieces[place.piece].remove(at: place.entry)
        if pieces[place.piece].isEmpty { pieces.remove(at: place.piece) }
    }

    // MARK: Finding

    /// Those from `start` to before `end`, which need not be addresses, while `body` wants more.
    func forEach(
        from start: String, to end: String, _ address: Lookup, _ body: (ModelID) -> Bool
    ) {
        let (first, end) = (place(of: start, address), place(of: end, address))
        for piece in first.piece..<pieces.count where piece <= end.piece {
            let from = piece == first.piece ? first.entry : 0
            let to = piece == end.piece ? end.entry : pieces[piece].count
            for model in pieces[piece][from..<to] where !body(model) { return }
        }
    }

    /// How many there are from `start` to before `end`.
    func count(from start: String, to end: String, _ address: Lookup) -> Int {
        let (first, end) = (place(of: start, address), place(of: end, address))
        guard first.piece < end.piece else { return max(0, end.entry - first.entry) }
        let between = pieces[first.piece..<end.piece].reduce(0) { $0 + $1.count }
        return between - first.entry + end.entry
    }

    /// Those below an address, the deepest last.
    func below(_ parent: Address, _ address: Lookup) -> [ModelID] {
        var found: [ModelID] = []
        // "0" is what comes after "/".
        forEach(from: parent.text + "/", to: parent.text + "0", address) {
            found.append($0)
            return true
        }
        return found
    }

    /// At most `most` wanted view models beside a text, the nearest first. Examines ten times as
    /// many, so that view models that are not wanted hardly ever decide about the others.
    func beside(
        _ text: String, most: Int, _ address: Lookup,
        where isWanted: (ModelID) -> Bool = { _ in true }
    ) -> [ModelID] {
        var after = place(of: text, address)
        var before = after
        var found: [ModelID] = []
        var left = 10 * most  // fits: the caller names few
        while found.count < most, left > 0 {
            let previous = previous(before)
            guard after.piece < pieces.count || previous != nil else { break }
            left -= 2
            if after.piece < pieces.count {
                let model = pieces[after.piece][after.entry]
                if isWanted(model) { found.append(model) }
                after = next(after)
            }
            if let previous {
                let model = pieces[previous.piece][previous.entry]
                if isWanted(model) { found.append(model) }
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
    private func place(of text: String, _ address: Lookup) -> Place {
        let piece = pieces.indices.partitionPoint({
            pieces[$0].last.map { address($0).text < text } ?? false
        })
        guard piece < pieces.count else { return Place(piece: piece, entry: 0) }
        let entry = pieces[piece].indices.partitionPoint({ address(pieces[piece][$0]).text < text })
        return Place(piece: piece, entry: entry)
    }
}
