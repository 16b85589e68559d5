import Glibc

/// A file of which any part may be asked for, and may not be there.
final class ReadableFile {
    private let file: Int32
    let size: Int

    /// `nil` if it cannot be opened, or is no regular file.
    init?(_ path: String) {
        guard let file = try? File.open(path, O_RDONLY) else { return nil }
        self.file = file
        size = (try? FileStatus(of: file, path).size) ?? 0
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
