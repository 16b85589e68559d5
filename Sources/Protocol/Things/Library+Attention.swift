// A thing may be waited for before it exists, and after it is deleted (`Attention`).

extension Library {
    @inlinable func attention(to id: T.ID) -> Attention<T>? {
        if let record = records[id] { return record.attention }
        return absent.isEmpty ? nil : absent[id]
    }

    /// Whether the thing, or with `nil` the library itself, has pending entries.
    func isPending(target: T.ID?) -> Bool { target.map(isPending) ?? !pending.isEmpty }

    /// - Parameter record: of the thing with the id; `nil`: there is none.
    @inlinable func openAttention(to id: T.ID, _ record: Record<T>?) -> Attention<T> {
        if let known = record?.attention { return known }
        if record == nil, let known = absent[id] { return known }
        let attention = Attention<T>()
        if let record { record.attention = attention } else { absent[id] = attention }
        return attention
    }

    /// Makes this the record of the thing. Returns the one before.
    @discardableResult
    @usableFromInline func place(_ record: Record<T>, as id: T.ID) -> Record<T>? {
        let before = records.updateValue(record, forKey: id)
        record.attention = before?.attention ?? absent.removeValue(forKey: id)
        return before
    }

    @discardableResult
    @usableFromInline func remove(_ id: T.ID) -> Record<T>? {
        guard let record = records.removeValue(forKey: id) else { return nil }
        if let attention = record.attention, !attention.isIdle { absent[id] = attention }
        return record
    }
}
