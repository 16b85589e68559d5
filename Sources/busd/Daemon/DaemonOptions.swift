import BusdOptions
import BusdProtocol

/// The options of a daemon. Their help names the daemon's own default paths.
struct DaemonOptions {
    let daemon: DaemonName

    var all: [Option] {
        [
            socket, viewSocket, state, durability, historySize, clock, connections,
            connectionsPerUser, logLevel, policy, house, log, logCredentials, member, replay, at,
            speed, history,
        ]
    }

    var socket: Option {
        Option(
            "socket", argument: "PATH",
            "the control socket (default: \(daemon.socket(in: "$XDG_RUNTIME_DIR")), else "
                + "\(daemon.systemSocket))")
    }

    let viewSocket = Option(
        "view-socket", argument: "PATH",
        "the view socket, which does not allow send (default: view.sock beside the control "
            + "socket)")

    var state: Option {
        Option(
            "state", argument: "DIR",
            "the folder of the store, or :memory: for none (default: $STATE_DIRECTORY, else "
                + "$XDG_STATE_HOME/\(daemon), else ~/.local/state/\(daemon))")
    }

    let durability = Option(
        "durability", argument: "KIND", choices: ["full", "normal"],
        "full: an answered change survives a power cut; normal: faster, but a power cut may "
            + "lose the last changes (default: full)")

    let historySize = Option(
        "history-size", argument: "SIZE",
        "the size of log.sqlite from which the longest histories are cut (default: 1G)")

    let clock = Option(
        "clock", argument: "KIND", choices: ["auto", "manual"],
        "auto: the real time; manual: only bus/clock advances the time (default: auto)")

    var connections: Option {
        Option(
            "connections", argument: "NUMBER",
            "at most this many connections at a time (default: \(Limits().connections))")
    }

    let connectionsPerUser = Option(
        "connections-per-user", argument: "NUMBER",
        "limit of clients per user, except for root and the daemon's own user (default: a "
            + "quarter of --connections)")

    let logLevel = Option(
        "log-level", argument: "LEVEL", choices: ["error", "warning", "info", "debug"],
        "error, warning, info or debug (default: info)")

    let policy = Option(
        "policy", argument: "FILE",
        "who may do what, and where (default: every user may look and send everywhere)")

    let house = Option(
        "house", argument: "NAME",
        "share the content of the store with the other daemons of this house; needs --log")

    let log = Option(
        "log", argument: "ADDRESS",
        "the Redis that has the log of the house: unix:/PATH or tcp:HOST:PORT; or a primary and "
            + "its replicas, with commas between them")

    let logCredentials = Option(
        "log-credentials", argument: "FILE",
        "a file with user and password for the Redis of --log, one per line (default: none)")

    let member = Option(
        "member", argument: "NAME",
        "the name of this daemon in the house, 1 to 200 bytes of printable text (default: the "
            + "name of the machine)")

    let replay = Option(
        "replay", argument: "FILE",
        "serve a backup again: read-only, at its own times, without its users")

    let at = Option(
        "at", argument: "TIME|ENTRY",
        "begin a replay after this entry of the log, or at this time: \"2026-11-24 18:30\", or "
            + "with seconds, or 2026-11-24T18:30Z in UTC (default: the first entry)")

    let speed = Option(
        "speed", argument: "N",
        "the speed of a replay, from 0.01 to 1000 (default: 1); it stands with --clock manual")

    let history = Option(
        "history", argument: "ADDRESS",
        "with --replay: print, for each entry of the log, what it did to the view model at this "
            + "address; then exit")

    let environment = [
        (name: "XDG_RUNTIME_DIR", text: "the folder of the default sockets"),
        (
            name: "STATE_DIRECTORY, XDG_STATE_HOME, HOME",
            text: "determine the default folder of the store; a relative path counts as unset"
        ),
        (
            name: "LISTEN_FDS, LISTEN_FDNAMES, NOTIFY_SOCKET, WATCHDOG_USEC",
            text: "set by systemd"
        ),
    ]

    init(of daemon: DaemonName) { self.daemon = daemon }
}
