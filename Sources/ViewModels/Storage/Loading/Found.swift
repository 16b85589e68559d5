import BusdViewModels

/// The things of one table as they are found, and what is not as it should be.
struct Found<Kept: Packed> {
    typealias ID = Identifier<Kept.Thing>

    /// One of them: `game`.
    let noun: String
    private(set) var things: [(ID, Kept)] = []
    private(set) var findings: [String] = []
    /// The numbers of those that are left out.
    private var leftOut: Set<Int> = []
    /// One of those has a number that may be another's.
    private var hasBroken = false

    init(_ noun: String) { self.noun = noun }

    mutating func note(_ finding: String) { findings.append(finding) }

    /// What is read, or why it is left out.
    mutating func take(
        _ number: Int, title: @autoclosure () -> String, _ read: () throws(Unusable) -> Kept
    ) throws(SQLiteStatus) {
        do throws(Unusable) {
            let thing = try read()
            guard let id = ID(number), number < .max else {
                throw .damaged("its number is not one")
            }
            things.append((id, thing))
        } catch {
            switch error {
            case .damaged(let why): leaveOut(number, title: title(), why)
            case .broken(let why):
                leaveOut(number, title: title(), why)
                hasBroken = true
            case .unreadable(let status): throw status
            }
        }
    }

    private mutating func leaveOut(_ number: Int, title: String, _ why: String) {
        leftOut.insert(number)
        note("\(noun) \(number)\(title) is left out: \(why)")
    }

    /// Puts together what is there, with the id of the next thing. Names the numbers of which there
    /// is nothing, unless the table is known to be whole.
    mutating func settle(
        _ known: KnownNext, isWhole: Bool
    ) -> (things: [(ID, Kept)], next: ID) {
        let highest = things.map(\.0.number).max() ?? 0
        let guess = max(known.reserved, known.least, highestLeftOut + 1)
        let next = max(known.written ?? guess, highest + 1)
        if known.written == nil, next > 1 {
            let reason = known.reserved > 1 ? "above every number that was given out" : "a guess"
            note("the number of the next \(noun) was lost: \(next) is used, \(reason)")
        }
        if !isWhole {
            noteGaps(before: next, areExact: known.written != nil && known.isOwn)
        } else if hasBroken {
            noteGaps(before: known.written ?? highest + 1, areExact: true)
        }
        return (things, ID(next) ?? .first)
    }

    /// A damaged number may be any.
    private var highestLeftOut: Int { leftOut.filter { $0 < 1 << 31 }.max() ?? 0 }

    /// What was deleted and what is lost look the same.
    private mutating func noteGaps(before next: Int, areExact: Bool) {
        let gaps = NumberList(missing: leftOut.union(things.map(\.0.number)), before: next)
        guard !gaps.isEmpty else { return }
        let other = areExact ? "deleted earlier or lost" : "deleted earlier, lost or never made"
        note("not there, \(other): \(noun)s \(gaps)")
    }
}

/// What is known of the id that comes next.
struct KnownNext {
    /// As the database says; `nil` where it does not.
    var written: Int?
    /// False where it may be another table's, which is higher.
    var isOwn = true
    /// None from here on has been given out, as the file beside the database says.
    var reserved = 1
    /// It is not below.
    var least = 1
}
