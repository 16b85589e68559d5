import BusdProtocol

// Removes secrets from Redis that an entry has replaced: from the log, the states and the file.
extension RedisLog {
    /// Notes in Redis that an entry has replaced a secret.
    func note(secret number: Int) {
        secret = number
        run(["FCALL", "busd_2_secret", "1", house.head, identity, "\(number)"]) { [weak self] in
            if self?.secret == number { self?.secret = nil }
        }
    }

    /// Removes what was before the current states, and asks Redis to write its file anew. If a step
    /// fails, a later heartbeat still shows the secret.
    func forget(upTo secret: Int) {
        let keys = ["3", house.head, house.log, house.rows]
        run(["FCALL", "busd_2_forget"] + keys + [identity, "\(secret)"]) { [weak self] in
            self?.rewrite(without: secret)
        }
    }

    private func rewrite(without secret: Int) {
        link.call(["BGREWRITEAOF"]) { [weak self] reply in
            guard let self else { return }
            if case .error(let text) = reply {
                if !hasReportedRewrite {
                    report("Redis keeps replaced passwords in its file: \(text.printable)")
                }
                hasReportedRewrite = true
            } else {
                run(["FCALL", "busd_2_forgotten", "1", house.head, identity, "\(secret)"]) {}
            }
        }
    }

    /// - Parameter then: called if the function has done its work.
    private func run(_ words: [String], then: @escaping () -> Void) {
        link.call(words) { reply in if reply[0].string == "ok" { then() } }
    }
}
