import Glibc
import TestSupport
import Testing

/// The writable memory of a process.
struct Memory {
    private let pid: pid_t

    struct NotReadable: Error {
        let reason: String
    }

    init(of pid: pid_t) { self.pid = pid }

    /// The places of all these texts, such as `[heap]+4711: abcdefgh`.
    func places(of needles: [String]) throws -> [String] {
        let folder = try Folder()
        let starts = try dump(to: folder("memory"))
        try folder.write(needles.joined(separator: "\n"), to: "needles")
        let found = try Child.run(
            "grep", "-aobF", "-f", folder("needles"), folder("memory"),
            environment: ["LC_ALL": "C"])
        return found.output.split(separator: "\n").compactMap { line in
            let words = line.split(separator: ":", maxSplits: 1)
            guard words.count == 2, let place = Int(words[0]),
                let mapping = starts.last(where: { $0.offset <= place })
            else { return nil }
            return "\(mapping.name)+\(place - mapping.offset): \(words[1])"
        }
    }

    /// Writes the mappings to a file, one after the other.
    private func dump(to path: String) throws -> [(offset: Int, name: String)] {
        let file = open("/proc/\(pid)/mem", O_RDONLY)
        guard file >= 0 else { throw NotReadable(reason: String(cString: strerror(errno))) }
        defer { close(file) }
        let output = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        try #require(output >= 0)
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var (offset, starts) = (0, [(offset: Int, name: String)]())
        let mappings = try mappings()
        // A sanitizer maps shadow memory for the whole address space.
        guard mappings.allSatisfy({ $0.end - $0.start < 1 << 40 }) else {
            throw NotReadable(reason: "a sanitizer has made it as large as terabytes")
        }
        for mapping in mappings {
            starts.append((offset, mapping.name))
            var at = mapping.start
            while at < mapping.end {
                let count = pread(file, &buffer, min(buffer.count, mapping.end - at), off_t(at))
                // Guard pages cannot be read.
                guard count > 0 else { break }
                try #require(write(output, buffer, count) == count)
                at += count
            }
            offset += at - mapping.start
        }
        return starts
    }

    private struct Mapping {
        let start: Int
        let end: Int
        let name: String
    }

    private func mappings() throws -> [Mapping] {
        try Child.run("cat", "/proc/\(pid)/maps").output.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            guard words[1].hasPrefix("rw"), ends.count == 2 else { return nil }
            return Mapping(
                start: ends[0], end: ends[1], name: words.count > 5 ? String(words[5]) : "memory")
        }
    }
}
