extension Delivery {
    /// Assigns an event to the watchers with a filter that includes it.
    ///
    /// - Parameter number: of the event, as in `ViewModelHost.eventNumbers`.
    /// - Parameter later: numbers of the events of the view model that follow in the update. For a
    ///   watcher that wants none of them, the line has no `more`.
    mutating func assign(_ line: EventLine, number: Int, before later: [Int], of stream: Stream) {
        let seq = stream.lastSeq
        let watchers = stream.watchers
        var lineWithoutMore: Int?
        stream.changeFilters { filters in
            for index in watchers.indices where watchers[index].state == .filtered {
                guard let filter = filters[index], filter.only.wants(number) else { continue }
                let slot = watchers[index].connection
                guard isHearing(slot) else { continue }
                var own = line.number
                if let moreAt = line.moreAt, !later.contains(where: filter.only.wants) {
                    own = lineWithoutMore ?? add(line.number, withoutMoreAt: moreAt)
                    lineWithoutMore = own
                }
                filters[index]?.lastSeq = seq
                assign(own, to: slot, after: filter.lastSeq == seq - 1 ? nil : filter.lastSeq)
            }
        }
    }
}
