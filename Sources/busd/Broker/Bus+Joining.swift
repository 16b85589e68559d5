import Protocol

// A join of many view models is shown in pieces (Bus+Showing.swift). A view model that the
// connection has heard before is not heard until it is shown; if it says something before that,
// there is a gap to tell. One that ends before it is shown says `gone` in its place.

extension Bus {
    /// The answer to a `subscribe` with a pattern is in line: all that matches is to be shown.
    mutating func beginJoin(_ pattern: Pattern, of count: Int, _ slot: ConnectionSlot) {
        let isFree = connections[slot].backlog.isEmpty
        queueTurn(of: slot)
        let total = subscribed.bytes(of: connections[slot].access)
        let reserved = Weight(Subscription.membershipBytes * count, on: total)
        connections[slot].showing = .join(Join(pattern, lastNumber: lastMark, reserved))
        joiners.insert(slot)
        suspendHeard(slot)
        queueFirst(isFree ? nextLines(of: slot) : [], of: slot)
    }

    /// Nothing of what the view has heard before is put in line until it is shown again. That may
    /// be many, of most of which it has heard everything.
    private mutating func suspendHeard(_ slot: ConnectionSlot) {
        guard var join = connections[slot].join, !connections[slot].models.isEmpty else { return }
        var special = connections[slot].special
        connections[slot].special = [:]
        let all = connections[slot].models
        join.reserve(all.count)
        var others: [ModelID] = []
        for (model, place) in all where join.walk.pattern.matches(models[model.slot].address) {
            guard special[model] == nil else {
                others.append(model)
                continue
            }
            let seq = models[model.slot].seq
            join.suspend(model, at: seq, last: seq)
            special[model] = SpecialView(stall: Stall.join)
            models[model.slot].stream?.changeMembers { $0[place].isPlain = false }
        }
        spend(Cost.leave * all.count)
        connections[slot].special = special
        connections[slot].showing = .join(join)
        for model in others { suspend(model, slot) }
    }

    /// One of which a gap is still to be told, with a snapshot, is suspended when that is done.
    mutating func suspend(_ model: ModelID, _ slot: ConnectionSlot) {
        let view = connections[slot].special[model]
        guard view?.stall == nil else { return }
        let seq = models[model.slot].seq
        let last = view?.only == nil ? seq : lastHeard(model, slot)
        connections[slot].withJoin { $0.suspend(model, at: seq, last: last) }
        hearNothing(of: model, until: Stall.join, slot)
    }

    /// Nothing more of it will be shown.
    mutating func cancelJoin(of slot: ConnectionSlot) {
        guard connections[slot].join != nil else { return }
        endJoin(slot)
        connections[slot].backlog.removeShowing(.request)
    }

    private mutating func endJoin(_ slot: ConnectionSlot) {
        connections[slot].showing = nil
        joiners.remove(slot)
    }

    // MARK: Lines

    /// As many of the next lines as this turn and the reader have room for, but one at least, where
    /// nothing waits for the disk.
    mutating func nextLines(of slot: ConnectionSlot) -> Lines {
        var piece = Piece(most: mostOfPiece)
        while let models = nextModels(of: slot), !models.isEmpty {
            for model in models {
                guard mayShow(model, slot),
                    add(model, to: &piece, slot, { $0.show(model, to: slot, &$1) })
                else {
                    return piece.lines
                }
            }
        }
        tellEnded(before: nil, slot, &piece.lines)
        if let pattern = connections[slot].join?.walk.pattern {
            piece.lines.append((Text(line: Line.live(pattern)), .patternLive))
        }
        endJoin(slot)
        return piece.lines
    }

    /// Some of those that are to be shown next.
    private mutating func nextModels(of slot: ConnectionSlot) -> [ModelID]? {
        guard let walk = connections[slot].join?.walk else { return nil }
        return next(on: walk, most: 64).found
    }

    private mutating func show(_ model: ModelID, to slot: ConnectionSlot, _ lines: inout Lines) {
        // Who wakes may make others speak, or come, or end.
        wake(model)
        guard isHere(model), connections[slot].join != nil else { return }
        let (address, seq) = (models[model.slot].address, models[model.slot].seq)
        tellEnded(before: address, slot, &lines)
        if let missed = connections[slot].withJoin({ $0.show(model, address, at: seq) }) {
            lines.append((tellGap(address, missed: missed, slot), .answer))
        }
        connections[slot].special[model]?.stall = nil
        settle(slot, model)
        refreshMembership(slot, of: model)
        for line in snapshotLines(of: model, for: slot) {
            lines.append((Text(line: line), .answer))
        }
        let live = Line.live(address, noteLive(model, to: slot))
        lines.append((Text(line: live), .joined(model, seq: seq)))
    }

    private mutating func tellEnded(
        before address: Address?, _ slot: ConnectionSlot, _ lines: inout Lines
    ) {
        while let ended = connections[slot].withJoin({ $0.takeEnded(before: address) }) {
            if let missed = ended.missed {
                lines.append((tellGap(ended.address, missed: missed, slot), .answer))
            }
            lines.append((Text(line: Line.gone(ended.address)), .answer))
        }
    }

    private mutating func tellGap(_ address: Address, missed: Int, _ slot: ConnectionSlot) -> Text {
        connections[slot].missed += missed
        gaps += 1
        viewsChanged()
        return Text(line: Line.gap(address, missed: missed))
    }

    // MARK: Ends

    /// A view model has ended that was still to be shown to some.
    mutating func endInJoins(_ model: ModelID) {
        let (address, seq) = (models[model.slot].address, models[model.slot].seq)
        for slot in joiners where isToJoin(model, slot) {
            connections[slot].withJoin { $0.end(model, address, at: seq) }
        }
    }

    /// It will be shown as a part of a join.
    func isToJoin(_ model: ModelID, _ slot: ConnectionSlot) -> Bool {
        connections[slot].join?.walk.isBefore(models[model.slot]) ?? false
    }
}
