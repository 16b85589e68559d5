extension Delivery {
    /// Assigns an event to the watchers with a filter that includes it.
    ///
    /// - Parameter number: of the event, as in `ViewModelHost.eventNumbers`.
    /// - Parameter later: numbers of the events of the view model that follow in the update. For a
    ///   watcher that wants none of them, the line has no `more`.
    mutating func assign(_ line: EventLine, number: Int, before later: [Int], of stream: Stream) {
        let seq = stream.lastSeq
        var lineWithoutMore: Int?
        stream.advanceFilters(wanting: number) { slot, filter in
            guard isHearing(slot) else { return false }
            var own = line.number
            if let moreAt = line.moreAt, !later.contains(where: filter.only.wants) {
                own = lineWithoutMore ?? add(line.number, withoutMoreAt: moreAt)
                lineWithoutMore = own
            }
            assign(own, to: slot, after: filter.lastSeq == seq - 1 ? nil : filter.lastSeq)
            return true
        }
    }
}
