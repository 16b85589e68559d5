import BusdOptions

extension Viewctl {
    static let manual = Manual(
        description: #"""
            .B viewctl
            sends one request to
            .BR busd (8)
            and prints the answer, or prints events as they happen.
            .PP
            On a terminal it prints aligned text, with colour.
            In a pipe, and with
            .BR \-\-json ,
            it prints JSON objects from the daemon, one per line, for
            .BR jq (1)
            and similar programs.
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
                on the other machine, which connects to the socket there.
                ssh asks for a password on the terminal if it needs one, and writes its messages to
                standard error.
                Without
                .B \-\-timeout
                there is no time limit for ssh.
                After a lost connection
                .B watch
                connects again and resumes.
                """#
            )
        ],
        seeAlso: ["busd(8)", "books(1)", "scoreboard(1)", "busd-protocol(7)"])
}
