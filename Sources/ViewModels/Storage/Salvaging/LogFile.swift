/// A write-ahead log, read as SQLite reads it: up to the last commit before the first frame that
/// does not follow from the one before; see "WAL File Format" in
/// https://sqlite.org/fileformat2.html.
struct LogFile {
    private let file: ReadableFile?
    /// Where the last that was committed of each page is.
    private var places: [Int: Int] = [:]
    /// How many pages the database has after the last commit; `nil` where there is none.
    private(set) var pageCount: Int?
    /// The frame, from 1, that is broken though others were committed behind it; 0 is the head. A
    /// log that was merely cut off by a crash has no such frame.
    private(set) var brokenFrame: Int?

    private static let headSize = 32
    private static let frameHeadSize = 24
    private static let frameSize = frameHeadSize + Pages.size

    /// Bytes of a log of so many frames.
    static func length(of frames: Int, pageSize: Int) -> Int {
        frames == 0 ? 0 : headSize + frames * (frameHeadSize + pageSize)  // fits: a file has them
    }

    static var none: LogFile { LogFile(file: nil) }

    private init(file: ReadableFile?) { self.file = file }

    init(of database: String) {
        self.init(file: ReadableFile(StoreFolder.log(of: database)))
        guard let file, file.size > 0 else { return }
        guard let head = Head(file.bytes(at: 0, count: Self.headSize)) else {
            // It is on the disk before the first frame is written.
            if frameCount > 0 { brokenFrame = 0 }
            return
        }
        let first = read(head)
        if isCommitted(behind: first, salt: head.salt) { brokenFrame = first }
    }

    /// Whether it is that of a file that was here before, which SQLite would apply to this one, or
    /// go on with. A copy is made without a log, and says so in its head; a store says that it has
    /// one before it makes it; see "File format version numbers" in
    /// https://sqlite.org/fileformat2.html.
    static func isForeign(to database: String) -> Bool {
        ReadableFile(StoreFolder.log(of: database))?.size ?? 0 > 0
            && ReadableFile(database)?.bytes(at: 18, count: 2) == [1, 1]
    }

    /// What is to be said of a log that is broken.
    var damage: SQLiteStatus? {
        brokenFrame.map {
            .damage("what was written after frame \(max(0, $0 - 1)) of its log is lost")
        }
    }

    /// The content of a page, where the log has it.
    func page(_ number: Int) -> [UInt8]? {
        places[number].flatMap { file?.bytes(at: $0, count: Pages.size) }
    }

    private var frameCount: Int { ((file?.size ?? 0) - Self.headSize) / Self.frameSize }

    private func place(of frame: Int) -> Int { Self.headSize + (frame - 1) * Self.frameSize }

    /// Returns the first frame that is none.
    private mutating func read(_ head: Head) -> Int {
        var checksum = head.checksum
        var uncommitted: [Int: Int] = [:]
        for frame in 1...max(1, frameCount) {
            guard let bytes = file?.bytes(at: place(of: frame), count: Self.frameSize),
                bytes.count == Self.frameSize, let read = Frame(bytes), read.salt == head.salt,
                read.page > 0
            else { return frame }
            checksum.add(bytes[..<8])
            checksum.add(bytes[Self.frameHeadSize...])
            guard checksum.value == read.checksum else { return frame }
            uncommitted[read.page] = place(of: frame) + Self.frameHeadSize
            guard read.pageCount > 0 else { continue }
            places.merge(uncommitted) { $1 }
            uncommitted = [:]
            pageCount = read.pageCount
        }
        return frameCount + 1
    }

    /// Whether there is a commit, which the broken frame itself may end, and something that was
    /// written after it: so it was on the disk.
    private func isCommitted(behind broken: Int, salt: Int) -> Bool {
        var hasCommit = false
        for frame in stride(from: max(1, broken), through: frameCount, by: 1) {
            guard let bytes = file?.bytes(at: place(of: frame), count: Self.frameHeadSize),
                let read = Frame(bytes), read.salt == salt
            else { continue }
            if hasCommit { return true }
            hasCommit = read.pageCount > 0
        }
        return false
    }

    // MARK: Heads

    private struct Head {
        let salt: Int
        let checksum: LogChecksum

        init?(_ bytes: [UInt8]) {
            var reader = ByteReader(bytes[...])
            guard bytes.count == headSize, let magic = reader.number(4), magic & ~1 == 0x377f_0682,
                reader.number(4) == 3_007_000, reader.number(4) == Pages.size,
                reader.number(4) != nil, let salt = reader.take(8), let sum = reader.take(8)
            else { return nil }
            var checksum = LogChecksum(isBigEndian: magic & 1 == 1)
            checksum.add(bytes[..<24])
            guard checksum.value == Self.whole(sum) else { return nil }
            self.salt = Self.whole(salt)
            self.checksum = checksum
        }

        static func whole(_ bytes: ArraySlice<UInt8>) -> Int {
            bytes.reduce(0) { $0 << 8 | Int($1) }  // fits: a byte does
        }
    }

    private struct Frame {
        let page: Int
        /// 0 where it is not the last of a commit.
        let pageCount: Int
        let salt: Int
        let checksum: Int

        init?(_ bytes: [UInt8]) {
            var reader = ByteReader(bytes[...])
            guard let page = reader.number(4), let pageCount = reader.number(4),
                let salt = reader.take(8), let checksum = reader.take(8)
            else { return nil }
            self.page = page
            self.pageCount = pageCount
            self.salt = Head.whole(salt)
            self.checksum = Head.whole(checksum)
        }
    }
}
