/// What things cost the bus, about, so that a turn ends in time though the bus has no clock: a byte
/// of an answer is 1, which is a few nanoseconds.
package enum Cost {
    /// A turn takes on nothing more when it has cost so much: a few milliseconds.
    package static let turn = 3 << 17

    /// What costs no more than this is soon done.
    package static let shortJob = 1 << 13
    /// Stands for a cost that is not known and may be high.
    static let longJob = shortJob + 1

    package static let request = 256
    /// A byte of a line that is read as a request.
    static let byteIn = 2
    /// An event for a connection.
    static let delivery = 2
    /// To compare a view model with a pattern.
    static let comparison = 16
    /// A byte of a value that is encoded for a snapshot.
    static let encodedByte = 2
    /// To show a view model to a view that joins it, without the bytes.
    static let join = 1 << 10
    /// To make a view model.
    static let wake = 1 << 10
    /// To let a view model come that has been made.
    static let arrival = 1 << 11
    /// To take a subscription, without what it shows, or to give it up.
    static let subscription = 1 << 11
    /// To change a draft: its text is read, and may be merged with an edit of another view.
    static let draft = 1 << 17
    /// To hear a view model no longer.
    static let leave = 1 << 7
    /// To combine the events that a subscription wants with those of others, or to stop filtering.
    static let filter = 1 << 8
    /// A byte of a report on the bus itself, of which the rows are gathered each time.
    static let reportedByte = 4
    /// To look for a name that is near.
    static let suggestions = 1 << 14
    /// To look who has subscribed to a pattern, or to forget somebody there.
    static let look = 1 << 7

    /// To read from a socket, or to write to it what waits.
    static func transfer(_ bytes: Int) -> Int { 512 + bytes / 4 }
    /// To close a connection, which the kernel has a part in.
    package static let close = 1 << 12
}
