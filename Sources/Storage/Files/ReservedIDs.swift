import BusdEventLoop
import BusdFiles
import BusdProtocol

/// The highest id that may have been used, by kind. It has a file of its own, so that no id is used
/// again after a database is lost. Ids are reserved in blocks, so the file is seldom written.
struct ReservedIDs: Equatable {
    private(set) var numbers: [ExactText: Int] = [:]

    private static let block = 1024
    /// A larger number is damaged: no library has so many things.
    static let most = 1 << 52

    init() {}

    /// The ids that the states mention.
    init(of states: some Sequence<SavedState>) {
        for state in states {
            guard let libraryState = state.libraryState else { continue }
            reserve(state.kind, upTo: libraryState.next - 1)
        }
    }

    subscript(kind: String) -> Int { numbers[ExactText(kind)] ?? 0 }

    mutating func reserve(_ kind: String, upTo number: Int) {
        guard number > self[kind], number <= Self.most else { return }
        numbers[ExactText(kind)] = number
    }

    mutating func reserve(_ other: ReservedIDs) {
        for (kind, number) in other.numbers { reserve(kind.text, upTo: number) }
    }

    /// The reservation to write before the entries are committed; `nil` if this one is enough.
    func extended(for entries: [LogEntry]) -> ReservedIDs? {
        var more = self
        for entry in entries where entry.highestID > more[entry.kind] {
            let blocks = (entry.highestID - 1) / Self.block + 1  // fits: a block is not empty
            more.reserve(entry.kind, upTo: blocks * Self.block)  // fits: an id was rounded up
        }
        return more == self ? nil : more
    }

    // MARK: The file: one kind and number per line, and a checksum in the last line

    /// `nil` if the file is missing or damaged.
    init?(of folder: StoreFolder) {
        guard let bytes = try? readFile(folder.ids, most: 4096, .own) else { return nil }
        for line in bytes.split(separator: .lineFeed).dropLast() {
            let words = line.split(separator: UInt8(ascii: " "))
                .map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 2, let number = Int(words[1]) else {
                return nil
            }
            reserve(words[0], upTo: number)
        }
        guard bytes == self.bytes else { return nil }
    }

    func write(to folder: StoreFolder) throws(StoreError) {
        try onFile(folder.ids) { () throws(SystemError) in
            try OpenFolder(folder.path).replace(lastName(of: folder.ids), with: bytes)
        }
    }

    private var bytes: [UInt8] {
        var checksum = Checksum()
        var lines = ""
        for (kind, number) in numbers.sorted(by: { $0.key < $1.key }) {
            checksum.add(kind.text.utf8)
            checksum.add(number)
            lines += "\(kind.text) \(number)\n"
        }
        return Array("\(lines)checksum \(checksum.value)\n".utf8)
    }
}
