/// Room that the file system has allocated for the write-ahead log.
///
/// Writing into allocated room takes half as long as making the file longer, which the file system
/// has to record for each commit. So a log that grows gets room for many commits at once: zeros,
/// which are no frames.
struct LogRoom {
    /// A log that stays short costs nothing.
    private static let least = 64
    private static let step = 1024
    /// As many times the room must be free, so that other programs do not lack it.
    private static let shareOfDisk = 16

    /// Frames that the file has room for, as far as it was made here.
    private var frames = 0

    /// Bytes of a write-ahead log with so many frames.
    static func length(of frames: Int, pageSize: Int) -> Int {
        frames == 0 ? 0 : 32 + frames * (24 + pageSize)  // fits: a file has them
    }

    /// Makes room ahead of the frames that are used. If there is none, the log grows as it goes.
    mutating func make(behind used: Int, most: Int, inWALOf database: String, pageSize: Int) {
        guard used >= Self.least, used + Self.least > frames, frames < most else { return }
        frames = min(used + Self.step, most)
        let length = Self.length(of: frames, pageSize: pageSize)
        try? File.fill(StoreFolder.wal(of: database), to: length, where: Self.shareOfDisk)
    }
}
