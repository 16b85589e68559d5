import BusdOptions
import BusdScreens

extension Settings {
    static let manual = Manual(
        description: #"""
            .B busd\-login
            has two fields, for the name and the password of a user of
            .BR busd (8);
            .B busd user add
            makes such users.
            The password is shown as bullets.
            The daemon enables the button and reports the result.
            After a success the program ends.
            After five failures in a row a name is locked for half a minute, for clients of the same
            user of the machine.
            A success counts only if the daemon names the user that was sent.
            .PP
            The program makes a login at an address that nobody can guess.
            It belongs to the program's connection: no other client can type into it, and it ends
            with the connection.
            .PP
            Without a terminal, or with
            .BR \-\-plain ,
            the password is the first line of standard input, and the result is printed.
            .PP
            What is typed is kept in one place of the program's memory, which leaves no core dump;
            it goes to the daemon
            when it is to be checked, and is overwritten then.
            """#,
        sections: [
            ClientSettings.hostManual,
            (
                "SECURITY",
                #"""
                The password is sent only to a daemon that runs as root, as your own user, or as the
                user who owns the folder of
                the socket, if nobody else can write to that folder.
                So a socket that another user has put into
                .I /tmp
                gets no password; do not name a socket in a folder that belongs to a user whom you
                do not trust.
                """#
            ),
            (
                "KEYS",
                #"""
                .TP
                Tab, arrows
                Go from field to field; a click does it too.
                .TP
                Enter
                From the name to the password; from there, sign in.
                .TP
                Esc
                Leave.
                """#
            ),
        ],
        seeAlso: ["busd(8)", "busd-protocol(7)"])
}
