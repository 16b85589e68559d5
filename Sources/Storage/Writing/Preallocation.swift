/// Room that the file system has allocated for the write-ahead log.
///
/// Writing into allocated room takes half as long as extending the file, because the file system
/// must record each extension. So a growing log gets room for many commits at once, filled with
/// zeros. SQLite does not take zeros for frames.
struct Preallocation {
    /// Frames. A shorter log gets no room.
    private static let least = 64
    private static let step = 1024
    /// The disk must have this many times the room free, so that other programs do not lack it.
    private static let shareOfDisk = 16

    /// The frames that `make` has made room for.
    private var frames = 0

    /// Bytes of a write-ahead log with this many frames.
    static func length(of frames: Int, pageSize: Int) -> Int {
        frames == 0 ? 0 : 32 + frames * (24 + pageSize)  // fits: a file has them
    }

    /// Makes room after the used frames. If that fails, each commit extends the file.
    mutating func make(behind used: Int, most: Int, inWALOf database: String, pageSize: Int) {
        guard used >= Self.least, used + Self.least > frames, frames < most else { return }
        frames = min(used + Self.step, most)
        let length = Self.length(of: frames, pageSize: pageSize)
        try? File.fill(StoreFolder.wal(of: database), to: length, where: Self.shareOfDisk)
    }
}
