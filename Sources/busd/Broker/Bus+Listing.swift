import BusdProtocol

// The answers to `list`, and to `subscribe` with a pattern, are one line each, however long. A long
// one is written in the steps of a catch-up (Bus+CatchingUp.swift). A row describes its view model
// at the moment when the row is written. A view model that has ended by then, or that arrived after
// the request, has no row.

extension Bus {
    /// Answers a `list`: at once if the answer is short.
    mutating func list(_ pattern: Pattern, _ id: Request.ID?, _ slot: ConnectionSlot) {
        var listing = Listing(pattern, of: .descriptions, id, lastNumber: roster.lastNumber)
        var line = Text()
        guard !write(&listing, to: &line, slot) else { return answer(line, slot) }
        spend(line.length)
        let number = nextCatchUp(of: slot)
        withCatchUps(of: slot) { $0.begin(number, answer: listing) }
        queue(number, [(line, .answer)], isComplete: false, slot)
    }

    /// Appends the next piece of the answer. Returns whether the answer is complete; the caller
    /// adds the LF.
    mutating func write(
        _ listing: inout Listing, to line: inout Text, _ slot: ConnectionSlot
    ) -> Bool {
        if listing.begins() {
            switch listing.row {
            case .addresses: line.append(Line.joining(listing.walk.pattern))
            case .descriptions: line.append(Line.list)
            }
        }
        guard writeRows(of: &listing, to: &line, slot) else { return false }
        switch listing.row {
        case .addresses: Line.endJoining(&line, listing.id)
        case .descriptions: Line.endList(&line, listing.id)
        }
        return true
    }

    /// Writes rows until the piece is long enough, or the visit has cost enough. Returns whether
    /// these were the last rows.
    private mutating func writeRows(
        of listing: inout Listing, to line: inout Text, _ slot: ConnectionSlot
    ) -> Bool {
        if let address = listing.walk.pattern.address {
            if let model = model(at: address), roster.may(.browse, model, slot).isAllowed {
                write(listing.row, of: model, to: &line)
            }
            return true
        }
        let mostBytes = line.length + budget.mostOfStep
        let mostCost = max(scheduler.visitEnd, spent + Cost.shortJob)
        while line.length < mostBytes, spent + line.length < mostCost {
            let next = next(on: listing.walk, for: slot, of: Walk.stride)
            for model in next.found {
                if listing.addsRow() { line.append(",") }
                write(listing.row, of: model, to: &line)
                guard line.length < mostBytes || model == next.found.last else {
                    listing.pass(roster[model].address.text)
                    return false
                }
            }
            guard let last = next.last else { return true }
            listing.pass(roster[last].address.text)
        }
        return false
    }

    /// Neither an address nor the name of a kind contains a character to escape.
    private mutating func write(_ row: Listing.Row, of model: ModelID, to line: inout Text) {
        guard case .descriptions = row else {
            line.append("\"")
            line.append(roster[model].address)
            return line.append("\"")
        }
        line.append(#"{"address":""#)
        line.append(roster[model].address)
        line.append(#"","kind":""#)
        line.append(name: kinds[roster[model].kind].name)
        line.append(#"","views":"#)
        line.append(decimal: roster[model].views)
        line.append(#","seq":"#)
        line.append(decimal: roster[model].seq)
        line.append("}")
    }
}
