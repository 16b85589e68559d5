import BusdEventLoop
import BusdProtocol

// Heartbeats, which show daemons to each other, and digests, which compare what they have applied.
extension RedisLog {
    var heartbeat: (row: [String], ready: [String]) {
        let row = [
            "FCALL", "busd_2_row", "4", house.head, house.log, house.rows, house.origins, identity,
            origin, table.row(position), "\(table.claim)", "\(table.off)",
        ]
        return (row, HouseFunctions.ready(house, identity))
    }

    func heartbeatReplied(_ reply: RedisValue, took: Int64) {
        if case .error(let text) = reply { return link.refuse(EngineSettings.advice(on: text)) }
        guard reply[0].string == "ok", let time = reply[1].instant,
            let head = reply[2].entryNumber
        else { return link.lose(reply[0].string?.clipped ?? "the house has changed") }
        let now = time.microseconds - took / 2
        table.note(rows: reply[3], time: now, took: took, at: loop.now(), newest: head)
        table.off = reply[8].number ?? 0
        table.note(
            states: reply[4].entryNumber, first: reply[5].streamNumber, bytes: reply[6].number,
            secret: reply[7].entryNumber)
        changed()
        if mustRepeat { repeatCall() }
        if table.isReaderSilent(position) { link.lose("entries do not arrive") }
    }

    func record(_ digest: (number: Int, text: String)) {
        link.call([
            "FCALL", "busd_2_digest", "2", house.head, house.digests, identity, "\(digest.number)",
            digest.text,
        ]) { [weak self] reply in
            guard let self, reply[0].string == "ok", let first = reply[1].string else { return }
            if let damaged = reply[2].bytes {
                let text = String(decoding: damaged.prefix(40), as: UTF8.self).printable
                report("'\(text)' in Redis was no digest of entry \(digest.number): replaced")
            }
            guard !first.isExactly(digest.text) else { return }
            differs("the entries up to \(digest.number) had other effects here than elsewhere")
        }
    }
}
