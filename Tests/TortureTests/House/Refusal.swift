/// How Redis refuses, or is silent, for some seconds.
struct Refusal {
    enum Kind { case told, silent, heldLink }

    let name: String
    let kind: Kind
    /// Calls of redis-cli; `TIME` stands for the milliseconds of the refusal.
    let begin: [[String]]
    let end: [[String]]

    private init(
        _ name: String, _ kind: Kind = .told, begin: [[String]] = [], end: [[String]] = []
    ) {
        (self.name, self.kind, self.begin, self.end) = (name, kind, begin, end)
    }

    private static func setting(_ name: String, _ bad: String, _ good: String) -> Refusal {
        Refusal(
            "\(name) \(bad)", begin: [["CONFIG", "SET", name, bad]],
            end: [["CONFIG", "SET", name, good]])
    }

    static let all = [
        setting("appendonly", "no", "yes"),
        setting("maxmemory", "1", "0"),
        setting("min-replicas-to-write", "1", "0"),
        setting("maxmemory-policy", "allkeys-lru", "noeviction"),
        Refusal(
            "replica", begin: [["REPLICAOF", "127.0.0.1", "1"]], end: [["REPLICAOF", "NO", "ONE"]]),
        Refusal(
            "NOPERM", begin: [["ACL", "SETUSER", "default", "-fcall"]],
            end: [["ACL", "SETUSER", "default", "+@all"]]),
        // Connections that are open stay signed in.
        Refusal(
            "NOAUTH",
            begin: [
                ["CONFIG", "SET", "requirepass", "x"],
                ["-a", "x", "CLIENT", "KILL", "TYPE", "normal"],
            ], end: [["-a", "x", "CONFIG", "SET", "requirepass", ""]]),
        Refusal("CLIENT PAUSE", .silent, begin: [["CLIENT", "PAUSE", "TIME", "ALL"]]),
        Refusal("SIGSTOP", .silent),
        Refusal("a held link", .heldLink),
    ]
}
