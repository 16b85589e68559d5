import BusdProtocol

// The answers to `list`, and to `subscribe` with a pattern, are one line each, however long. Long
// ones are written in pieces. A row describes its view model at the time when its piece is written:
// a view model that ended before has no row, nor has one that arrived after the request.

extension Bus {
    mutating func list(_ pattern: Pattern, _ id: Request.ID?, _ slot: ConnectionSlot) {
        var listing = Listing(pattern, id, lastNumber: lastMark)
        var line = Text()
        guard !write(&listing, to: &line) else { return answer(line, slot) }
        spend(line.length)
        queueTurn(of: slot)
        connections[slot].showing = .list(listing)
        queueFirst([(line, .answer)], of: slot)
    }

    /// The next piece of the line, which may be empty.
    mutating func nextRows(of listing: Listing, to slot: ConnectionSlot) -> Lines {
        var listing = listing
        var rows = Text()
        let isDone = write(&listing, to: &rows)
        if isDone { rows.append("\n") }
        spend(rows.length)
        connections[slot].showing = isDone ? nil : .list(listing)
        guard rows.isEmpty else { return [(rows, .answer)] }
        // No view model that was examined matched.
        makeRunnable(slot)
        return []
    }

    /// Returns whether the answer is complete, without its LF.
    private mutating func write(_ listing: inout Listing, to line: inout Text) -> Bool {
        if !listing.hasBegun { line.append(Line.list) }
        listing.hasBegun = true
        guard writeRows(of: &listing, to: &line, { $0.writeRow($1, to: &$2) }) else { return false }
        Line.endList(&line, listing.id)
        return true
    }

    /// Writes as many rows as make a piece. Returns whether these are the last.
    mutating func writeRows(
        of listing: inout Listing, to line: inout Text,
        _ write: (inout Bus, ModelID, inout Text) -> Void
    ) -> Bool {
        if let address = listing.walk.pattern.address {
            if let model = model(at: address), !models[model.slot].isAdministrative {
                write(&self, model, &line)
            }
            return true
        }
        let mostBytes = line.length + mostOfPiece
        let mostCost = max(turnEnd, spent + Cost.shortJob)
        while line.length < mostBytes, spent + line.length < mostCost {
            let next = next(on: listing.walk, of: Walk.stride)
            for model in next.found {
                if listing.hasRows { line.append(",") }
                listing.hasRows = true
                write(&self, model, &line)
                guard line.length < mostBytes || model == next.found.last else {
                    listing.walk.passed = models[model.slot].address.text
                    return false
                }
            }
            guard let last = next.last else { return true }
            listing.walk.passed = models[last.slot].address.text
        }
        return false
    }

    /// Neither an address nor the name of a kind contains a character to escape.
    private mutating func writeRow(_ model: ModelID, to line: inout Text) {
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
