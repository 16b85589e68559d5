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
        seeAlso: ["busd(8)", "books(1)", "scoreboard(1)", "busd-protocol(7)"])
}
