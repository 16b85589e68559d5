import BusdProtocol

extension SimulatedView {
    /// After everything has been read, the client must know the current state.
    func checkCaughtUp(views: String) {
        if !pending.isEmpty { fail("unanswered", pending[0].line) }
        if !joining.isEmpty || livePattern != nil || !snapshot.isEmpty { fail("not all is live") }
        if let address = ended.first { fail("its end is unknown", address) }
        for (address, life) in truth.alive {
            guard mayLook(address), case .some(let only) = filter(address) else { continue }
            guard let known = heard[address] else { return fail("not heard", address) }
            if known.life !== life || known.gapEnd != nil || known.isInUpdate {
                fail("not up to date", address)
            }
            if !life.isSilent(after: known.seq, upTo: life.seq, only) { fail("the last", address) }
            check(known, life, views)
        }
        for address in heard.keys where truth.alive[address] == nil || !mayLook(address) {
            fail("not gone", address)
        }
    }

    private func check(_ known: Heard, _ life: SimulatedTruth.Life, _ views: String) {
        var trusted = known.trusted
        if !(trusted?.contains("appended") ?? true) { trusted?.remove("items") }
        let values = known.values.only(trusted)
        if life.address == "bus/views" {
            if values.values.contains(where: { $0.json != views }) {
                fail("views", "\(values) \(views)")
            }
        } else if values != life.values(at: life.seq)?.only(trusted) {
            fail("not the present values", "\(life.address) \(values)")
        }
    }
}
