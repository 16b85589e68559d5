import Protocol

// A `list` is answered with one line, however long. Where it is long, it is made in pieces: a row
// says how a view model is at the moment at which its piece is made. One that has ended by then has
// no row, nor has one that came after the request.

extension Bus {
    mutating func list(_ pattern: Pattern, _ id: Request.ID?, _ slot: ConnectionSlot) {
        var listing = Listing(pattern, id, lastNumber: lastMark)
        var line = Line.list
        let isDone = write(&listing, to: &line)
        guard !isDone else { return answer(line, slot) }
        spend(line.bytes.count)
        queueTurn(of: slot)
        connections[slot].showing = .list(listing)
        queueFirst([(line, .answer)], of: slot)
    }

    /// The next piece of the line; there may be nothing in it.
    mutating func nextRows(of listing: Listing, to slot: ConnectionSlot) -> Lines {
        var listing = listing
        var rows = Text()
        let isDone = write(&listing, to: &rows)
        if isDone { rows.append("\n") }
        spend(rows.bytes.count)
        connections[slot].showing = isDone ? nil : .list(listing)
        guard rows.bytes.isEmpty else { return [(rows, .answer)] }
        // Whatever was looked at did not match.
        makeRunnable(slot)
        return []
    }

    /// Writes as many rows as make a piece. Returns whether these are the last, with the end of the
    /// line.
    private mutating func write(_ listing: inout Listing, to line: inout Text) -> Bool {
        let isDone = writeRows(of: &listing, to: &line)
        if isDone { Line.endList(&line, listing.id) }
        return isDone
    }

    private mutating func writeRows(of listing: inout Listing, to line: inout Text) -> Bool {
        if let address = listing.walk.pattern.address {
            if let model = model(at: address) { writeRow(model, to: &line) }
            return true
        }
        let mostBytes = line.bytes.count + mostOfPiece
        let mostCost = max(turnEnd, spent + Cost.shortJob)
        while line.bytes.count < mostBytes, spent + line.bytes.count < mostCost {
            let next = next(on: listing.walk, of: Walk.stride)
            for model in next.found {
                if listing.hasRows { line.append(",") }
                listing.hasRows = true
                writeRow(model, to: &line)
                guard line.bytes.count < mostBytes || model == next.found.last else {
                    listing.walk.passed = models[model.slot].address.text
                    return false
                }
            }
            guard let last = next.last else { return true }
            listing.walk.passed = models[last.slot].address.text
        }
        return false
    }

    /// Neither an address nor the name of a kind has anything to escape.
    private func writeRow(_ model: ModelID, to line: inout Text) {
        let slot = model.slot
        line.append(#"{"address":""#)
        line.append(models[slot].address)
        line.append(#"","kind":""#)
        line.append(name: host.name(of: models[slot].kind))
        line.append(#"","views":"#)
        line.append(decimal: models[slot].views)
        line.append(#","seq":"#)
        line.append(decimal: models[slot].seq)
        line.append("}")
    }
}
