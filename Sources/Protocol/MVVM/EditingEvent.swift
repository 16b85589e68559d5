/// An enum in which some events edit a value that another event carries whole. A client applies the
/// edits, so that it has the whole value for a view that binds later.
public protocol EditingEvent: WireEvent {
    /// `value` after this edit; `nil` if this event does not edit `value`.
    func edit(_ value: Self) -> Self?
}

extension EditingEvent {
    /// The value that this event edits, after the edit; `nil` if it edits none of them.
    fileprivate func edit(anyOf values: [any WireEvent]) -> (any WireEvent)? {
        for case let value as Self in values {
            if let edited = edit(value) { return edited }
        }
        return nil
    }
}

extension Output {
    /// Sends the event to all handlers. If it is an edit, `current` gets the edited value.
    package func sendEdited(_ event: Event) {
        if let value = (event as? any EditingEvent)?.edit(anyOf: current) as? Event {
            send(event, current: value)
        } else {
            send(event)
        }
    }
}
