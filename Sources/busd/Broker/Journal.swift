package import Protocol

/// Where durable changes go. They are made by view models, through their services; the bus only
/// sees to it that nobody is shown or told of a change before it is on disk.
package protocol Journal: AnyObject {
    /// Whether something durable has changed since the last time this was asked.
    func takeChanged() -> Bool

    /// There are changes that no commit covers yet.
    var hasChanges: Bool { get }

    /// Whether what a view model at the address would be made of is on disk as it is.
    func isSettled(_ address: Address) -> Bool

    /// While `make` runs, what is at the address is as it is on disk. Whoever was made of it
    /// meanwhile is told afterwards what it has become. Returns which commit under way covers that,
    /// counted from the oldest; `nil`, and does nothing, where it is more than one or none yet, or
    /// where there is nothing of it on disk.
    func asOnDisk(_ address: Address, _ make: () -> Void) -> Int?

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

package enum Recall {
    case keys([(key: String, answer: ClosedRange<Int>?)])
    case underWay
    case failed
}
