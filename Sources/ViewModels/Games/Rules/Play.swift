import BusdGamesEvents
import BusdProtocol

/// A move of a game. It has its player, and the time of the game clock.
struct Play: Hashable, Sendable {
    /// Ids count from 1 in each game, in the order of its moves.
    let id: Int
    /// `Move.number`. Small, because a daemon may have millions.
    private let number: UInt8
    /// Microseconds.
    let time: Int64

    init(id: Int, _ move: Move, at time: Int64) {
        (self.id, number, self.time) = (id, UInt8(truncatingIfNeeded: move.number), time)
    }

    var move: Move { Move.all[Int(widening: number)] }

    func changed(to move: Move) -> Play { Play(id: id, move, at: time) }
}

/// The moves of a game, those that were taken back, and the sums of them.
struct PlayList: Hashable, Sendable {
    private(set) var plays: [Play] = []
    /// The moves that were taken back, the newest last. They can be done again.
    private(set) var undone: [Play] = []
    /// The id of the next move.
    private(set) var next = 1
    private(set) var score = Score()
    /// How often each move was made, by `Move.number`.
    private var counts = Array(repeating: UInt32(0), count: Move.possibilities)

    init() {}

    func count(of move: Move) -> Int { Int(widening: counts[move.number]) }

    /// The place of a move; `nil`: there is none with this id.
    func place(of id: Int) -> Int? {
        let place = plays.indices.partitionPoint { plays[$0].id < id }
        return place < plays.count && plays[place].id == id ? place : nil
    }

    // MARK: Changes

    mutating func push(_ move: Move, at time: Int64) {
        undone = []
        add(Play(id: next, move, at: time))
        next += 1  // fits: a game is full before
    }

    /// Takes back the last move. It can be done again.
    mutating func takeBack() {
        guard let play = plays.popLast() else { return }
        count(play.move, -1)
        undone.append(play)
    }

    /// Does again the move that was taken back last.
    mutating func redo() {
        if let play = undone.popLast() { add(play) }
    }

    mutating func remove(at place: Int) {
        forgetUndone()
        count(plays.remove(at: place).move, -1)
    }

    mutating func replace(at place: Int, with move: Move) {
        forgetUndone()
        count(plays[place].move, -1)
        plays[place] = plays[place].changed(to: move)
        count(move, 1)
    }

    mutating func forgetUndone() { undone = [] }

    private mutating func add(_ play: Play) {
        plays.append(play)
        count(play.move, 1)
    }

    private mutating func count(_ move: Move, _ step: Int) {
        // fits: a move is taken back only if it was counted
        counts[move.number] = UInt32(truncatingIfNeeded: count(of: move) + step)
        score[move.player.side] += step * move.kind.points  // fits: at most two for each move
    }

    /// The place of the move that wins by these rules, if there is one.
    func winningPlace(by rules: GameRules) -> Int? {
        var score = Score()
        return plays.firstIndex { play in
            score[play.move.player.side] += play.move.kind.points
            return score.winner(by: rules) != nil
        }
    }
}

// MARK: In the state of a game

extension PlayList {
    /// A list of a state; `nil` if its ids or its times are not possible.
    ///
    /// - Parameter next: the id of the next move.
    init?(plays: [Play], undone: [Play], next: Int) {
        self.init()
        let ids = (plays + undone.reversed()).map(\.id)
        guard zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }), ids.first ?? 1 >= 1,
            ids.last ?? 0 < next, next <= LogEntry.numbers.upperBound
        else { return nil }
        for play in plays { add(play) }
        (self.undone, self.next) = (undone, next)
    }
}

/// Moves as texts: a letter for each, the ids, and the times as differences to the time before.
struct StoredPlays: Codable {
    private let letters: String
    /// `nil`: 1, 2, 3 and so on.
    private let ids: String?
    /// `nil`: there are no moves.
    private let times: String?

    /// A state of another daemon may have any number. A move takes up to 60 bytes while it is read.
    static let most = 1 << 20

    init(_ plays: [Play]) {
        letters = String(decoding: plays.map(\.move.letter), as: UTF8.self)
        let isCounted = plays.enumerated().allSatisfy { $0.element.id == $0.offset + 1 }
        ids = isCounted ? nil : plays.map(\.id.numeral).joined(separator: " ")
        times = plays.isEmpty ? nil : Self.times(of: plays)
    }

    private static func times(of plays: [Play]) -> String {
        var last: Int64 = 0
        return plays.map { play in
            defer { last = play.time }
            return String(play.time - last)  // fits: both are stored times
        }.joined(separator: " ")
    }

    /// `nil` unless all parts have the same number.
    func plays() -> [Play]? {
        guard letters.utf8.count <= Self.most else { return nil }
        let moves = letters.utf8.compactMap { Move(letter: $0) }
        guard moves.count == letters.utf8.count, let ids = ids(moves.count),
            let times = times(moves.count)
        else { return nil }
        return moves.indices.map { Play(id: ids[$0], moves[$0], at: times[$0]) }
    }

    private func ids(_ count: Int) -> [Int]? {
        guard let ids else { return Array(1..<(count + 1)) }
        let read = ids.words.compactMap { Int($0) }  // fits: else nil
            .filter { LogEntry.numbers.contains($0) }
        return read.count == count && ids.words.count == count ? read : nil
    }

    private func times(_ count: Int) -> [Int64]? {
        var last: Int64 = 0
        var read: [Int64] = []
        for word in (times ?? "").words {
            guard let difference = Int64(word) else { return nil }  // fits: else nil
            let (time, isTooLarge) = last.addingReportingOverflow(difference)
            guard !isTooLarge, Instant.stored.contains(time) else { return nil }
            read.append(time)
            last = time
        }
        return read.count == count ? read : nil
    }
}

extension String {
    /// The parts between single spaces.
    fileprivate var words: [Substring] {
        guard !isEmpty else { return [] }
        return utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
