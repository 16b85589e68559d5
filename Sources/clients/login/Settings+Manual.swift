import BusdOptions
import BusdScreens

extension Settings {
    static let manual = Manual(
        description: #"""
            .B busd\-login
            has two fields, for the name and the password of a user of
            .BR busd (8);
            .B busd user add
            adds such users.
            The password is shown as bullets.
            The daemon enables the button and reports the result.
            After a success the program ends.
            After five failures in a row a name is locked for 30 seconds, for clients of the same
            user of the machine.
            A success counts only if the daemon names the user that was sent.
            .PP
            The program creates a login at a random address.
            The login belongs to the program's connection: no other client can type into it, and it
            ends with the connection.
            .PP
            Without a terminal, or with
            .BR \-\-plain ,
            the password is the first line of standard input, and the result is printed.
            .PP
            The typed password is in one place of the program's memory, and the program leaves no
            core dump.
            The password is sent to the daemon only for the check, and is overwritten after it.
            """#,
        sections: [
            ClientSettings.hostManual,
            (
                "SECURITY",
                #"""
                The password is sent only to a daemon that runs as root, as your own user, or as the
                owner of the socket's folder, if no other user can write to that folder.
                So a socket that another user has put into
                .I /tmp
                gets no password.
                Do not name a socket in the folder of a user whom you do not trust.
                """#
            ),
            (
                "KEYS",
                #"""
                .TP
                Tab, arrows
                Go to the other field; a click does the same.
                .TP
                Enter
                In the name: go to the password. In the password: sign in.
                .TP
                Esc
                Quit without signing in.
                """#
            ),
        ],
        seeAlso: ["busd(8)", "busd-protocol(7)"])
}
