import BusdEventLoop
import BusdProtocol

// Heartbeats, which show daemons to each other, and digests, which compare what they have applied.
extension RedisLog {
    var heartbeat: [String] {
        [
            "FCALL", "busd_1_row", "3", house.head, house.rows, house.origins, identity, origin,
            table.row(position),
        ]
    }

    func heartbeatReplied(_ reply: RedisValue, took: Int64) {
        guard reply[0].string == "ok", let time = reply[1].number, let head = reply[2].number else {
            return link.lose(reply[0].string ?? "the house has changed")
        }
        let now = Int64(widening: time) - took / 2
        table.note(rows: reply[3], time: now, at: loop.now(), newest: head)
        table.statesEntry = max(table.statesEntry, reply[4].number ?? 0)
        changed()
        if mustRepeat { repeatCall() }
        if table.isReaderSilent(position) { link.lose("entries do not arrive") }
    }

    func record(_ digest: (number: Int, text: String)) {
        link.call([
            "FCALL", "busd_1_digest", "2", house.head, house.digests, identity, "\(digest.number)",
            digest.text,
        ]) { [weak self] reply in
            guard let self, reply[0].string == "ok", let first = reply[1].string,
                !first.isExactly(digest.text)
            else { return }
            differs(at: digest.number)
        }
    }

    /// Loads the states of the house, but only once: it helps if memory or the daemon's own store
    /// was damaged.
    private func differs(at number: Int) {
        let reason =
            "the entries up to \(number) had other effects here than on another daemon"
        if hasLoaded {
            stop("\(reason), also after the states of the house were loaded")
        } else {
            load(reason)
        }
    }
}
