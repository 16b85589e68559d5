extension LogEntry {
    /// Whether the entry can be in a log. Its action is not read.
    var isPossible: Bool {
        Self.numbers.contains(number) && number > 0
            && Instant.stored.contains(time.microseconds)
            && Self.numbers.contains(previous) && Self.numbers.contains(unchangedSince ?? 0)
            && areNames(kind, id, by ?? "", daemon ?? "") && body.count <= Self.mostOfShared
    }
}

extension SavedState {
    /// Whether the numbers and names can be those of a state as of the entry `covered`.
    fileprivate func isPossible(asOf covered: Int) -> Bool {
        0...covered ~= lastEntry && 0...covered ~= lastEffect && areNames(kind, id)
    }
}

/// Whether another daemon may have sent these texts as a kind, an id or a name.
private func areNames(_ kind: String, _ others: String...) -> Bool {
    1...200 ~= kind.utf8.count && others.allSatisfy { $0.utf8.count <= 4_096 }
}

extension [SavedState] {
    /// Why these cannot be all states of a log, as of its entry `covered`; `nil` if they can.
    ///
    /// - Parameter kinds: the kinds of this daemon; empty: only the parts that all kinds have are
    ///   checked.
    package func problem(asOf covered: Int, kinds: [KindCheck]) -> String? {
        var known: [ExactText: Set<ExactText>] = [:]
        for state in self {
            let name = "\(state.kind) \(state.id)".printable.clipped
            guard state.isPossible(asOf: covered) else { return "the numbers of \(name) are wrong" }
            let isNew = known[ExactText(state.kind), default: []].insert(ExactText(state.id))
            guard isNew.inserted else { return "\(name) is there twice" }
            do throws(WireError) {
                guard let check = kinds.first(where: { $0.kind.isExactly(state.kind) }) else {
                    if kinds.isEmpty { continue }
                    throw WireError(.badEvent, "the kind is not known here")
                }
                try check.check(state, isWhole: true)
            } catch {
                return "\(name) cannot be read: \(error.message.clipped)"
            }
        }
        for (kind, ids) in known {
            let library = first { $0.id.isEmpty && $0.kind.isExactly(kind.text) }
            guard let listed = library?.libraryState?.ids,
                Set(listed.map { ExactText($0) } + [""]) == ids
            else { return "the list of \(kind.text.printable.clipped) is wrong" }
        }
        return nil
    }
}
