extension Delivery {
    /// Assigns an event to the watchers with a filter that includes it.
    ///
    /// - Parameter later: the events of the view model that follow in the update. For a watcher
    ///   that wants none of them, the line has no `more`.
    mutating func assign(
        _ line: EventLine, _ event: EventNumber, before later: [EventNumber], of stream: Stream
    ) {
        let seq = stream.lastSeq
        var lineWithoutMore: Int?
        stream.advanceFilters(wanting: event) { slot, filter in
            guard isHearing(slot) else { return false }
            var own = line.number
            if let more = line.more, !later.contains(where: filter.only.wants) {
                own = lineWithoutMore ?? add(line.number, without: more)
                lineWithoutMore = own
            }
            assign(own, to: slot, after: filter.lastSeq == seq - 1 ? nil : filter.lastSeq)
            return true
        }
    }
}
