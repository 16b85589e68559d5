import BusdOptions
import BusdScreens

extension Settings {
    static let manual = Manual(
        description: #"""
            .B scoreboard
            shows a game of two teams of three, as
            .BR busd (8)
            keeps it, and sends what is typed.
            Any number of them may look at one game at the same time, and keep its score.
            .PP
            .I GAME
            is its number or its address.
            Without it, it is the newest game that is not finished; where there is none, the list of
            games is shown.
            .PP
            The container view has the teams, the score, the clock and the winner; the content view
            inside it has the
            six players with their counts.
            When the connection to the daemon is lost, it says so, connects again, and goes on.
            Meanwhile it keeps what means the same later, such as a point or a pause, and sends it
            then; it says what it did not
            send, such as an undo.
            .PP
            Without a terminal, or with
            .BR \-\-plain ,
            it prints a line an update, until the game is deleted or the standard input, if it is a
            pipe, ends.
            """#,
        sections: [
            ClientSettings.hostManual,
            (
                "KEYS",
                #"""
                .TP
                arrows, Tab
                Choose a player; a click does it too.
                .TP
                .BR 1 ", " 2
                One point, two points.
                .TP
                .BR a ", " r ", " f
                An assist, a rebound, a foul.
                .TP
                space
                Start and pause.
                .TP
                .B u
                Undo the last move.
                .TP
                .B g
                The list of games.
                .TP
                .B n
                A new game.
                .TP
                .B ?
                Help.
                .TP
                .B q
                Quit.
                """#
            ),
        ],
        seeAlso: ["busd(8)", "viewctl(1)", "busd-protocol(7)"])
}
