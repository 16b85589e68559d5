import BusdOptions

extension Viewctl {
    static let manual = Manual(
        description: #"""
            .B viewctl
            asks
            .BR busd (8)
            one thing and prints the answer, or watches what happens.
            .PP
            On a terminal it prints aligned text, with colour.
            In a pipe, and with
            .BR \-\-json ,
            it prints JSON objects as the daemon sent them, one a line, for
            .BR jq (1)
            and its like.
            Messages go to standard error.
            """#,
        sections: [
            (
                "FROM ANOTHER MACHINE",
                #"""
                With
                .B \-\-host
                or
                .B BUSD_HOST
                viewctl runs
                .BR ssh (1),
                and
                .B viewctl relay
                on the other machine, which connects its standard input and output to the socket
                there.
                ssh asks for a password on the terminal if it needs one, and writes its messages to
                standard error.
                Without
                .B \-\-timeout
                it has as long as it needs.
                After a lost connection
                .B watch
                connects again and resumes.
                """#
            )
        ],
        seeAlso: ["busd(8)", "books(1)", "scoreboard(1)", "busd-protocol(7)"])
}
