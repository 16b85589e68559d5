import BusdOptions
import BusdScreens

extension Settings {
    static let manual = Manual(
        description: #"""
            .B scoreboard
            shows a game of two teams of one to five from
            .BR busd (8),
            and keeps its score.
            Any number of terminals can show the same game at the same time, and keep its score.
            While another one keeps it on the same daemon, a line names its user and when it began,
            and each score of the other one is announced for five seconds.
            The line is left out if
            .B bus/views
            is hidden from the user.
            .PP
            .I GAME
            is the number or the address of a game.
            Without it, the newest unfinished game is shown; if there is none, the list of games.
            .PP
            The container view has the teams, the score, the clock and the winner; the content view
            inside it has the players with their counts.
            A finished game also has the fouls of each team and its plays.
            After a lost connection, the program connects again and goes on.
            Meanwhile it keeps moves that mean the same later, such as a point or a pause, and sends
            them when it is connected.
            It reports moves that it did not send, such as an undo.
            .PP
            Without a terminal, or with
            .BR \-\-plain ,
            it prints one line per update, until the game is deleted.
            Each line of standard input is a command, and is answered by a line: a name or the
            letter of a player and a move, such as
            .I ann 2
            or
            .IR "bo foul" ,
            .IR undo ,
            .IR redo ,
            .IR start ,
            .IR pause ,
            and seconds by which the clock is moved, such as
            .I +10
            or
            .IR \-1 .
            With
            .B \-\-once
            or
            .BR \-\-until\-finished ,
            standard input is not read.
            If standard input is a pipe, the end of standard input also ends the program.
            """#,
        sections: [
            ClientSettings.hostManual,
            (
                "KEYS",
                #"""
                .TP
                arrows, Tab
                Choose a player; a click does the same.
                .TP
                .BR w ", " e ", " s ", " d ", " x ", " i ", " o ", " k ", " j ", " m
                Choose a player. Each player has one letter, beside the name.
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
                .BR \- ", " + ", " < ", " >
                Move the clock back or on, by 1 or 10 seconds.
                .TP
                .BR u ", " y
                Take back the last move; do it again.
                .TP
                .B b
                After a restart of the daemon that stopped the clock: set it to where it would be,
                and start it.
                Only a screen that has seen the clock run offers this.
                .TP
                .B l
                The plays.
                The letter of a player gives the chosen play to that player, the key of a move makes
                it that move,
                .B t
                takes it out, and
                .B /
                searches.
                .TP
                .B c
                Correct names and the clock.
                .TP
                .B g
                The list of games.
                There,
                .B d
                deletes a game,
                .B u
                takes that back for ten minutes, and
                .B /
                searches.
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
