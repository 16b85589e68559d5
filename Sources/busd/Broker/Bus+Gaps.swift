import BusdProtocol

// Gaps are told in pieces, as a join of many is shown (Bus+Showing.swift): a view that was too slow
// may have missed something of thousands of view models. What has been told is heard again, and
// stands behind; the place of the gap stays at the front until all of it has been told.

extension Bus {
    /// Puts `gap`, snapshot and `live` of the view models concerned where their events stood: as
    /// many as the turn and the reader have room for, but one at least.
    mutating func tell(_ gap: Int, to slot: ConnectionSlot) {
        let stalls = connections[slot].stalls.filter { $0.value.gap == gap }
        let numbers = stalls.keys.sorted()
        var lines = Text()
        var told = 0
        while told < numbers.count {
            let isEnough = lines.length >= mostOfPiece || spent >= turnEnd
            guard lines.isEmpty || !isEnough,
                mayShow(connections[slot].stalls[numbers[told]], slot)
            else { break }
            if let stall = connections[slot].stalls.removeValue(forKey: numbers[told]) {
                tell(stall, to: slot, &lines)
            }
            told += 1
        }
        if told > 0 { viewsChanged() }
        withBacklog(of: slot) { $0.fillGap(lines, isDone: told == numbers.count) }
    }

    private mutating func mayShow(_ stall: Stall?, _ slot: ConnectionSlot) -> Bool {
        guard let stall, stall.end == nil else { return true }
        return mayShow(stall.model, slot)
    }

    private mutating func tell(_ stall: Stall, to slot: ConnectionSlot, _ lines: inout Text) {
        let before = lines.length
        defer { spend(Cost.join + lines.length - before) }
        let missed = (stall.end ?? models[stall.model.slot].seq) - stall.lastWritten
        connections[slot].missed += missed
        gaps += 1
        lines.append(line: Text(Line.gap(stall.address, missed: missed)))
        if stall.end == nil { show(stall.model, to: slot, &lines) }
    }

    /// Shows a stalled view its view model as it is now. From here on, it hears again.
    private mutating func show(
        _ model: ModelID, to slot: ConnectionSlot, _ lines: inout Text
    ) {
        for line in snapshotLines(of: model, for: slot) { lines.append(line: line) }
        connections[slot].special[model]?.stall = nil
        let standing = noteLive(model, to: slot)
        lines.append(line: Text(Line.live(models[model.slot].address, standing)))
        settle(slot, model)
    }
}
