import BusdOptions
import BusdProtocol

extension Web {
    static let program = Program(
        "busd-web", version: Version.text,
        "Shows the view models of busd in browsers.",
        options: Settings.options, verbs: PairingVerbs.verbs, isVerbRequired: false,
        statuses: (statuses + PairingVerbs.statuses).sorted {
            $0.status.rawValue < $1.status.rawValue
        },
        environment: environment + PairingVerbs.environment,
        examples: examples + PairingVerbs.examples, manual: manual)

    private static let statuses: [ExitStatus.Meaning] = [
        (.done, "a planned stop, or the verb is done"),
        (.failed, "it could not start; standard error has the reason"),
        (.usage, ExitStatus.usage.meaning),
        (.outputFailed, ExitStatus.outputFailed.meaning),
    ]

    private static let environment = [
        (name: "BUSD_SOCKET", text: "busd's control socket: the view socket is beside it"),
        (name: "XDG_RUNTIME_DIR", text: "where the default socket is"),
    ]

    private static let examples = [
        "busd-web", "busd-web --listen 0.0.0.0:8080 --name court.local",
        "busd-web --listen unix:/run/busd-web/web.sock --name score.example.org",
    ]

    private static let manual = Manual(
        section: 8,
        description: #"""
            .B busd\-web
            serves pages over HTTP: the newest games at
            .BR / ,
            a game at
            .BI /scoreboard/ ID\fR,
            the same as a transparent strip for a video at
            .BI /scoreboard/ ID ?overlay\fR,
            and the values of any other view model at
            .BI /view/ ADDRESS\fR.
            A page has its values without script; with script it follows each event.
            .PP
            It reads from the view socket of
            .BR busd (8).
            With
            .BR \-\-control ,
            paired phones send through the control socket.
            Each page of a game or of a view model has a connection of its own, so
            .B viewctl who
            lists it; the pages of the list of games share one.
            A browser that does not read is a slow view: it gets the present values when it reads
            again.
            .PP
            By default only this machine reaches it.
            A listening socket from systemd is used in place of
            .BR \-\-listen :
            the shipped
            .I busd\-web.socket
            has one, and holds it over restarts.
            """#,
        sections: [
            (
                "SECURITY",
                #"""
                A request must name this server in
                .BR Host :
                a numeric address,
                .BR localhost ,
                or a
                .BR \-\-name .
                So no page of another site can reach it under a name of its own.
                Every view model that the view socket shows can be read at
                .BR /view/ ,
                except
                .BR bus/** ;
                restrict the user of busd\-web with a policy of busd if that is too much.
                .PP
                With
                .B \-\-certificate
                and
                .B \-\-key
                it speaks TLS.
                Behind a proxy, let the proxy do so, pass
                .B Host
                on, and name it with
                .BR \-\-name .
                It may serve the pages below a path, which it takes off each request, and which
                .B \-\-path
                names for links.
                A Unix socket in a folder of root, or a port that systemd holds, keeps other users
                of the machine from taking the place of busd\-web, and the cookies of phones, while
                it does not run.
                .PP
                When all streams are taken, the address with the most loses one to an address with
                fewer.
                Of a proxy on this machine, the address is the last one of
                .BR X\-Forwarded\-For .
                Paired phones have a reserve.
                """#
            ),
            (
                "SIGNALS",
                #"""
                .TP
                .BR SIGTERM ", " SIGINT ", " SIGHUP
                End all streams, and exit with 0.
                Open pages connect again when it is back.
                """#
            ),
        ],
        seeAlso: ["busd(8)", "viewctl(1)", "busd-protocol(7)"])
}
