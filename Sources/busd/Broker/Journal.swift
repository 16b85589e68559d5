package import BusdProtocol

/// Where durable changes go. They are made by view models, through their services; the bus only
/// sees to it that nobody is shown or told of a change before it is on disk.
package protocol Journal: AnyObject {
    /// Whether something durable has changed since the last time this was asked.
    func takeChanged() -> Bool

    /// There are changes that no commit covers yet.
    var hasChanges: Bool { get }

    /// While `make` runs, what is at the address is as it is on disk. Who is made of it meanwhile
    /// is then told, and nobody else, what it has become: with each commit under way that changes
    /// it, which are counted from the oldest, and (`nil`) since the last of them. When `then` runs,
    /// that has been told. Of its end nobody is told.
    func asOnDisk(_ address: Address, _ make: () -> Void, then: (Int?) -> Void)

    /// The work that it has done in memory since the last time this was asked, in the units of
    /// `Cost`: `asOnDisk` and view models can make it read a large book.
    func takeWork() -> Int

    /// Begins to write all changes since the last commit, as one, once those before are done. The
    /// shell tells `Bus.committed` of each in turn, and of none behind one that has failed.
    func commit()

    /// A commit has failed: all changes that are not on disk are taken back.
    func rollBack()

    /// With the next commit: a `send` with this key has been accepted, and what it caused.
    func remember(key: String, of address: Address, answer: ClosedRange<Int>?)

    /// What was remembered of an address, oldest first. Where that has to be read, the shell tells
    /// `Bus.recalled` when it has been, and is asked again.
    func recallKeys(of address: Address) -> Recall
}

extension Journal {
    package func takeWork() -> Int { 0 }
}

package enum Recall {
    case keys([(key: String, answer: ClosedRange<Int>?)])
    case underWay
    case failed
}
