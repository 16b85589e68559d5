/// Checks states and entries of one kind of thing, for code that does not know its type: a store,
/// and a house that is loaded.
package struct KindCheck: Sendable {
    package let kind: String
    private let checkState: @Sendable (SavedState, _ isWhole: Bool) throws(WireError) -> Void
    private let checkEntry: @Sendable (LogEntry) throws(WireError) -> Void

    package init<T: Thing>(_ type: T.Type) {
        kind = T.kind
        checkState = { state, isWhole throws(WireError) in
            try Library<T>.check(state, isWhole: isWhole)
        }
        checkEntry = { entry throws(WireError) in try Library<T>.check(entry) }
    }

    /// - Parameter isWhole: false: the content of a thing is not read, only its summary, which is
    ///   much faster.
    /// - Throws: `WireError` if a library could not load the state.
    package func check(_ state: SavedState, isWhole: Bool) throws(WireError) {
        try checkState(state, isWhole)
    }

    /// - Throws: `WireError` if a library could not read the entry.
    package func check(_ entry: LogEntry) throws(WireError) { try checkEntry(entry) }
}

extension Library {
    /// The most JSON values in the content of a thing that another daemon has sent. A value takes
    /// 16 bytes while it is read.
    private static var mostValues: Int { 1 << 20 }

    fileprivate static func check(_ state: SavedState, isWhole: Bool) throws(WireError) {
        guard !state.id.isEmpty else {
            return try check(try LibraryState<T>(saved: state))
        }
        _ = try id(state.id)
        let summary = try Record<T>(saved: state).summary
        guard isWhole else { return }
        let thing = try decoded(T.self, from: state.body, mostValues: mostValues)
        guard thing.summary == summary else {
            throw WireError(.badEvent, "its summary is not that of its content")
        }
    }

    private static func check(_ state: LibraryState<T>) throws(WireError) {
        let isFree = state.order.contains { id in
            Int(peer: id.description).map { $0 >= state.next && T.ID.numbered($0) == id } ?? false
        }
        if isFree { throw WireError(.badEvent, "it would use a number twice") }
    }

    fileprivate static func check(_ entry: LogEntry) throws(WireError) {
        guard entry.holdsState else {
            _ = try action(of: entry)
            return
        }
        try check(try SavedState(sharedForm: entry.body), isWhole: true)
    }

    static func id(_ text: String) throws(WireError) -> T.ID {
        guard let id = T.ID(text) else {
            throw WireError(.badEvent, "\(text.printable.clipped) is not an id")
        }
        return id
    }

    static func action(of entry: LogEntry) throws(WireError) -> AnyAction<T> {
        guard entry.id.isEmpty else {
            let action = try decoded(T.Action.self, from: entry.body)
            return .thing(try id(entry.id), action)
        }
        let action = try decoded(LibraryAction<T>.self, from: entry.body)
        if case .skip(let number) = action, !LogEntry.numbers.contains(number) {
            throw WireError(.badEvent, "\(number) is not the number of a thing")
        }
        return .library(action)
    }
}
