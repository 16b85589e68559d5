/// Estimated costs, which end a turn in time although the bus reads no clock. The unit is a byte of
/// an answer: a few nanoseconds.
package enum Cost {
    /// A turn begins nothing more after this cost: a few milliseconds.
    package static let turn = 3 << 17

    /// Highest cost of a short job.
    package static let shortJob = 1 << 13
    /// Stands for a cost that is not known and may be high: higher than that of a short job.
    static let unknown = shortJob + 1

    package static let request = 256
    /// A byte of a line that is read as a request.
    static let byteIn = 2
    /// An event for a connection.
    static let delivery = 2
    /// To compare a view model with a pattern.
    static let comparison = 32
    /// A byte of a value that is encoded for a snapshot.
    static let encodedByte = 2
    /// To show a view model to a joining view, without the bytes.
    static let join = 1 << 10
    /// To create a view model.
    static let wake = 1 << 11
    /// To announce a new view model.
    static let arrival = 1 << 11
    /// To add a subscription, without its snapshots, or to remove it.
    static let subscription = 1 << 11
    /// To change a draft: its text is read, and may be merged with an edit of another view.
    static let draft = 1 << 17
    /// To watch a view model, or to change the filter of a watch.
    static let watch = 1 << 7
    /// To stop watching a view model.
    static let leave = 1 << 8
    /// To let a view model wait for a catch-up.
    static let wait = 1 << 8
    /// To look at an idle view model, which may end or fall asleep.
    static let rest = 1 << 10
    /// To combine the filters of two subscriptions, or to stop filtering.
    static let filter = 1 << 8
    /// A byte of a report of the bus, because its rows are collected each time.
    static let reportedByte = 4
    /// To search for similar addresses and names.
    static let suggestions = 1 << 14
    /// To make the description of a kind.
    static let description = 1 << 17
    /// To look up a pattern, or to remove a connection from it.
    static let look = 1 << 7

    /// To read from a socket, or to write a backlog to it.
    static func transfer(_ bytes: Int) -> Int { 512 + bytes / 4 }
    /// To close a connection, with the work of the kernel.
    package static let close = 1 << 12
}
