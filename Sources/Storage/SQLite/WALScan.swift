import BusdEventLoop
import BusdProtocol
import Glibc

/// Looks for commits that SQLite cannot read any more at the end of a write-ahead log (WAL).
///
/// SQLite reads frames up to the first whose checksum is wrong, and takes the rest for a commit
/// that never ended. A start copies the WAL into the database, and the next commit gives all frames
/// a new salt. So a frame behind the readable ones that has the salt of the header, or that
/// continues the checksums under another salt, was written after them, and is damaged.
///
/// A frame without a page is no evidence: the file ends behind the header of the frame, or the page
/// is all zeros. SQLite writes a header at once, so a part of a header is evidence.
/// See "The Write-Ahead Log" in https://sqlite.org/fileformat2.html.
struct WALScan {
    private static let headerLength = 32
    private static let frameHeaderLength = 24

    /// SQLite's checksum of pairs of 32-bit words.
    private struct Sum: Equatable {
        private(set) var first: UInt32 = 0
        private(set) var second: UInt32 = 0
        private let isBigEndian: Bool

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                // fits: a page has at most 65,536 bytes
                for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                    first &+= word(bytes, offset) &+ second
                    second &+= word(bytes, offset + 4) &+ first  // fits: as above
                }
            }
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }
    }

    /// Whether a commit may have been lost. False for a missing or an empty file.
    static func findsLostCommit(in path: String) throws(StoreError) -> Bool {
        guard let size = try File.size(path), size > headerLength else { return false }
        let file = try File.open(path, O_RDONLY)
        let header = try read(headerLength, of: file, at: 0, path)
        let magic = word(header, 0)
        var sum = Sum(isBigEndian: magic & 1 == 1)
        sum.add(header.prefix(24))
        let isValid = magic & ~1 == 0x377F_0682 && continues(sum, header.suffix(8))
        // SQLite ignores all frames behind a damaged header.
        guard isValid, word(header, 8) == Database.pageSize else { return true }
        let salt = header[16..<24]
        var (isReadable, offset) = (true, headerLength)
        let length = frameHeaderLength + Database.pageSize
        while true {
            let frame = try read(length, of: file, at: offset, path)
            let page = frame.dropFirst(frameHeaderLength)
            guard page.contains(where: { $0 != 0 }) else {
                return isReadable && 1..<frameHeaderLength ~= frame.count
            }
            let hasSalt = frame[8..<16] == salt
            if isReadable {
                sum.add(frame.prefix(8))
                sum.add(page)
                let isNext = frame.count == length && continues(sum, frame[16..<24])
                if isNext != hasSalt { return true }
                isReadable = isNext
            } else if hasSalt {
                return true
            }
            offset += length  // fits: it is at most the size of the file, and a frame
        }
    }

    /// Fewer bytes at the end of the file.
    private static func read(
        _ count: Int, of file: Descriptor, at offset: Int, _ path: String
    ) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let done = try systemCall("pread", path) {
            pread(file.number, &bytes, count, off_t(widening: offset))
        }
        return Array(bytes.prefix(done))
    }

    private static func continues(_ sum: Sum, _ stored: ArraySlice<UInt8>) -> Bool {
        sum.first == word(stored, 0) && sum.second == word(stored, 4)
    }

    /// A word in big-endian order.
    private static func word(_ bytes: some Collection<UInt8>, _ offset: Int) -> UInt32 {
        bytes.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }  // fits: a byte
    }
}
