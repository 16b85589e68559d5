import BusdViewModels

/// What is kept of a thing: as it is on disk, and in memory while nobody needs it.
protocol Packed: Sendable {
    associatedtype Thing: Equatable

    /// The thing again.
    var thing: Thing? { get }
    /// So many are unpacked before those that nobody needs are let go.
    static var mostUnpacked: Int { get }
    /// What it takes to unpack it, and to pack a thing that has changed. A unit is a few
    /// nanoseconds, as in the costs of the bus.
    var workToUnpack: Int { get }
    static func workToPack(_ thing: Thing) -> Int
}

/// What a commit does to a thing.
enum Write<Kept: Packed>: Sendable {
    /// The thing is new, or differs from `before`, the state on disk.
    case put(Identifier<Kept.Thing>, Kept, before: Kept?)
    case delete(Identifier<Kept.Thing>)

    var id: Identifier<Kept.Thing> {
        switch self {
        case .put(let id, _, _), .delete(let id): id
        }
    }

    /// What is on disk afterwards.
    var left: Kept? {
        switch self {
        case .put(_, let kept, _): kept
        case .delete: nil
        }
    }
}
