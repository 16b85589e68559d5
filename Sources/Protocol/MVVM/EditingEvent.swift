/// Events of which some are edits of a value that another one told whole. It lets a client keep the
/// value whole too, for a view that binds later.
public protocol EditingEvent: WireEvent {
    /// What becomes of `value` by this edit; nil where it is no edit of that value.
    func edit(_ value: Self) -> Self?
}

extension EditingEvent {
    /// The one of the values that this edits, as it is afterwards.
    fileprivate func edit(anyOf values: [any WireEvent]) -> (any WireEvent)? {
        for case let value as Self in values {
            if let edited = edit(value) { return edited }
        }
        return nil
    }
}

extension Output {
    /// Tells all handlers, and keeps in mind what an edit makes of its value.
    package func sendEdited(_ event: Event) {
        if let value = (event as? any EditingEvent)?.edit(anyOf: current) as? Event {
            send(event, current: value)
        } else {
            send(event)
        }
    }
}
