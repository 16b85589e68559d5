/// How much of the log the file system has found room for. To write there takes half as long as to
/// make the file longer, which the file system has to note for each commit; so once a log grows it
/// does so by hundreds of commits at once, with zeros, which are no frames.
struct LogRoom {
    /// A log that stays short costs nothing.
    private static let least = 64
    private static let step = 1024
    /// As many times the room must be free, so that nobody else lacks it.
    private static let shareOfDisk = 16

    /// Frames that the file has room for, as far as it was made here.
    private var frames = 0

    /// Makes room ahead of the frames that are used. Where there is none, the log grows as it goes.
    mutating func make(behind used: Int, most: Int, inLogOf database: String, pageSize: Int) {
        guard used >= Self.least, used + Self.least > frames, frames < most else { return }
        frames = min(used + Self.step, most)
        let length = LogFile.length(of: frames, pageSize: pageSize)
        try? File.fill(StoreFolder.log(of: database), to: length, where: Self.shareOfDisk)
    }
}
