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
                + "\(daemon.systemSocket))",
            details: "The last folder of the path is created if it is missing.")
    }

    let viewSocket = Option(
        "view-socket", argument: "PATH",
        "the view socket, which does not allow send (default: view.sock beside the control "
            + "socket)")

    var state: Option {
        Option(
            "state", argument: "DIR",
            "the folder of the store, or :memory: for none (default: $STATE_DIRECTORY, else "
                + "$XDG_STATE_HOME/\(daemon), else ~/.local/state/\(daemon))",
            details: """
                A missing folder is created, with its parents, for its owner alone.
                A folder that exists must belong to the user that
                .B \(daemon)
                runs as, and give no access to others
                .RI ( "chmod 700 DIR" );
                else
                .B \(daemon)
                does not start, and changes nothing.
                """)
    }

    let durability = Option(
        "durability", argument: "KIND", choices: ["full", "normal"],
        "full: an answered change survives a power cut; normal: faster, but a power cut may "
            + "lose the last changes (default: full)")

    let historySize = Option(
        "history-size", argument: "SIZE",
        "the size of log.sqlite from which the longest histories of games, books and libraries "
            + "are cut (default: 1G)",
        details: """
            Cutting begins at three quarters of this size.
            Each cut history is one entry from then on, which has everything as it is; so no
            game, book or id is lost, but its earlier moves are.
            The log of the daemon names what was cut.
            If there is more new history than can be cut, sends wait.
            The daemon keeps two copies of the store, each as large, if three times the space is
            free.
            """)

    let clock = Option(
        "clock", argument: "KIND", choices: ["auto", "manual"],
        "auto: the real time; manual: only bus/clock advances the time (default: auto)",
        details: """
            With
            .BR manual ,
            a kill loses what was advanced in the last second, unless a later change has its time.
            """)

    var connections: Option {
        Option(
            "connections", argument: "NUMBER",
            "at most this many connections at a time (default: \(Limits().connections))",
            details: """
                Each client needs a descriptor.
                .B \(daemon)
                raises its soft limit up to the hard limit
                .RB ( LimitNOFILE=
                in its unit). If that is too low, fewer clients are admitted.
                An eighth of the connections, and at least one, is reserved for the control socket.
                """)
    }

    let connectionsPerUser = Option(
        "connections-per-user", argument: "NUMBER",
        "limit of clients per user, except for root and the daemon's own user (default: a "
            + "quarter of --connections)",
        details: "These two can stop the daemon anyway.")

    let logLevel = Option(
        "log-level", argument: "LEVEL", choices: ["error", "warning", "info", "debug"],
        "error, warning, info or debug (default: info)")

    let policy = Option(
        "policy", argument: "FILE",
        "who may do what, and where (default: every user may look and send everywhere)",
        details: #"""
            Each line has a user, a
            .RI @ group
            or
            .B *
            for everybody; then
            .B \-
            (nothing),
            .B look
            or
            .BR send ;
            and then patterns.
            A pattern that ends with a colon and names of events, with commas between, decides
            the sends of these events only.
            The first line that fits user, address and event decides.
            Where no line fits, one may look.
            Root and the daemon's own user may do everything.
            A
            .B #
            begins a comment.
            .IP
            .EX
            # who       may    where
            @scorers    send   scoreboard/** game\-creator/*
            ann         send   games:createGame
            guest       \-      books study/* cards/*
            *           send   login/*
            .EE
            .IP
            Names of users and groups are looked up when the file is read; a number is an id.
            With a fault in the file, the daemon does not start, and the exit status is 64.
            A replay has no policy.
            The page docs/operators.md has more.
            """#)

    let house = Option(
        "house", argument: "NAME",
        "share games, books and users with the other daemons of this house; needs --log")

    let log = Option(
        "log", argument: "ADDRESS",
        "the Redis that has the log of the house: unix:/PATH or tcp:HOST:PORT; or a primary and "
            + "its replicas, with commas between them",
        details: """
            There are at most 8 addresses.
            The daemon uses the first Redis that is a primary.
            If this Redis fails, the daemon tries the next address.
            """)

    let logCredentials = Option(
        "log-credentials", argument: "FILE",
        "a file with user and password for the Redis of --log, one per line (default: none)",
        details: """
            An empty first line is the default user of Redis.
            Nobody but the owner of the file may read it
            .RI ( "chmod 600 FILE" ).
            It is read for each connection, so a changed password needs no restart.
            """)

    let member = Option(
        "member", argument: "NAME",
        "the name of this daemon in the house, 1 to 200 bytes of printable text (default: the "
            + "name of the machine)")

    let replay = Option(
        "replay", argument: "FILE",
        "serve a backup again: read-only, at its own times, without its users",
        details: #"""
            Views see again what happened.
            No
            .B send
            is taken, except by
            .IR bus/clock ,
            which has
            .BR pause ,
            .BR resume ,
            .B advance
            and
            .BR goTo .
            To go back, the daemon says
            .B bye
            to all clients, and serves again from there.
            .IP
            A game or book is served from its creation on, or from an entry that says all of it,
            where its history was cut.
            The backup may lack entries of others.
            The daemon names these on standard error, and leaves them out.
            The same holds for what was deleted, without a word.
            Neither the file nor anything beside it is written.
            """#)

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
            + "address; then exit",
        details: #"""
            Each line is a JSON object with
            .IR entry ,
            .IR time ,
            .I uid
            and
            .I client
            (if they are known), in a house
            .IR daemon ,
            and
            .IR events .
            """#)

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
