// The parts of entries and states that a store reads. A store knows no type of thing.

extension LogEntry {
    /// Whether it may create a thing.
    package var isCreation: Bool { id.isEmpty && body.starts(with: #"{"create":"#.utf8) }

    /// Whether the entry contains the whole thing, as for a kind without history.
    @usableFromInline package var isWhole: Bool { holdsState || number > 0 && previous == number }

    /// Replaces an entry of a thing. Only the key has an effect: the library remembers it.
    package var keyOfLibrary: LogEntry {
        var entry = LogEntry.skip(to: 0, kind: kind, at: time)
        (entry.number, entry.key) = (number, key)
        (entry.by, entry.uid, entry.daemon) = (by, uid, daemon)
        return entry
    }

    /// An entry after which the library gives new things higher numbers than this one.
    package static func skip(to number: Int, kind: String, at time: Instant) -> LogEntry {
        let body = Array(#"{"skip":{"to":\#(number)}}"#.utf8)
        return LogEntry(time: time, kind: kind, id: "", body: body)
    }
}

extension SavedState {
    /// The number that the next thing gets, and the ids of all things; `nil` unless this is the
    /// state of a library.
    package var libraryState: (next: Int, ids: [String])? {
        guard id.isEmpty, let libraryState = try? decoded(LibraryBody.self, from: body),
            LogEntry.numbers.contains(libraryState.next - 1)
        else { return nil }
        return (libraryState.next, libraryState.order.map(\.text))
    }
}

private struct LibraryBody: Decodable {
    let next: Int
    let order: [AnyID]
}

/// A number or a text.
private struct AnyID: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            text = String(number)
        } else {
            text = try container.decode(String.self)
        }
    }
}
