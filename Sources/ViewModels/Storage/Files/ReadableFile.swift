import Glibc

/// A file of which any part may be asked for, and may not be there.
final class ReadableFile {
    private let file: Int32
    let size: Int

    /// `nil` where it can't be opened.
    init?(_ path: String) {
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        var about = stat()
        size = fstat(file, &about) == 0 ? Int(about.st_size) : 0  // fits: both have 64 bits
    }

    deinit { close(file) }

    /// At most so many bytes: fewer at the end of the file, none behind it or where the disk does
    /// not give them.
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard 0..<size ~= offset, count > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: min(count, size - offset)) { buffer, read in
            while read < buffer.count {
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[read...])
                let place = off_t(offset + read)  // fits: both have 64 bits
                let got = pread(file, part.baseAddress, part.count, place)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                read += got
            }
        }
    }
}
