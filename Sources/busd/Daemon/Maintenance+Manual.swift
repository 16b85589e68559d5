import BusdOptions
import BusdProtocol

// The man page of the verbs: what it says beside their summaries, in roff.

extension Maintenance {
    static let statuses: [ExitStatus.Meaning] = [
        (.badInput, "check, backup: the store is damaged; standard output has the findings"),
        (.tryAgain, "check: a daemon uses the store"),
    ]

    static let examples = [
        "busd --socket /tmp/mine/busd.sock --state :memory: &",
        "echo list | socat -t5 - UNIX-CONNECT:/tmp/mine/busd.sock",
        "sudo busd user add ann",
    ]

    static func environment(of daemon: DaemonName) -> [(name: String, text: String)] {
        let text = "the socket of the running daemon that user and backup ask"
        return [(name: daemon.socketVariable, text: text)]
    }

    static let detailsOfCheck = """
        Nothing is changed.
        Damage is printed, one finding per line, and it exits with 65.
        If a daemon uses the store, nothing is checked, and it exits with 75.
        """

    static let detailsOfHouse = #"""
        The daemon must have been stopped.
        .B join
        refuses a house that has content.
        .B join
        and
        .B restore
        need
        .BR \-\-log .
        .B restore
        is for a house whose log in Redis is lost or older than the daemons: run it on the daemon
        with the newest entry, as
        .I bus/house
        shows it.
        Nothing is restored automatically, because two daemons could restore different endings.
        """#

    static let detailsOfBackup = #"""
        The store is found as for
        .BR "busd user" .
        The copy is made in
        .I DIR
        first, and put in the place of
        .I FILE
        when it is whole and on the disk.
        It has mode 0600. Its owner is the user of the command.
        If the command is interrupted, a copy may stay in
        .IR DIR ;
        the next backup replaces it.
        .I FILE
        may be an older copy; a link, a FIFO or anything else that is not a regular file is refused.
        On a full disk, stop the daemon and copy
        .I DIR
        to another disk instead.
        Rows that are damaged are not in the copy. If the store at rest, or the copy, has damage,
        .B busd
        reports it and exits with 65, but the copy is there.
        .IP
        To put a copy back, stop the daemon and copy it to
        .IR DIR/store.sqlite .
        The next start sets the files of the store aside, and renames it to
        .IR DIR/copy\-1.sqlite .
        .I DIR/copy\-1.sqlite
        and
        .IR DIR/copy\-2.sqlite ,
        which the daemon makes itself, can be put back in the same way.
        """#

    static let detailsOfUser = #"""
        Five failures in a row lock a name for 30 seconds, for clients of the uid that failed.
        .RS
        .TP
        \fBuser add \fINAME\fR
        The user's password is asked for twice in a terminal, which does not show it.
        Where standard input is no terminal it is the first line of it; the last line need not end.
        An existing user gets a new password.
        A name has 1 to 40 characters, of 200 bytes at most, in UTF-8.
        It has no invisible and no private-use characters, no space but the plain one, and none at
        its ends.
        Its bytes count: names that look the same and have other code points are different users.
        A password has 1 to 1024 bytes of text, and its bytes count: a letter that can be
        written in two ways makes two passwords.
        .TP
        \fBuser remove \fINAME\fR
        From now on that user can't sign in.
        Where there is no such user it exits with 1.
        .TP
        \fBuser list\fR
        Print the users' names, one a line.
        .PP
        The store is that of
        .BR \-\-state ,
        if that option is given. Its daemon is found through the link
        .IR DIR/control.sock .
        Else a running daemon is asked for its store: the one at
        .BR \-\-socket ,
        else at
        .BR BUSD_SOCKET ,
        else at the user's own socket, else at
        .IR /run/busd/busd.sock .
        Only root and the daemon's own user get an answer.
        If no socket is named and no daemon runs, it is the default store.
        The folder of the store is printed after each change.
        No verb makes a store: start the daemon first.
        .PP
        Of a password a hash is kept (Argon2id), which nobody can turn back.
        When a verb reports a change, the change is on the disk.
        It applies from the next sign-in on.
        .PP
        Run as root on the folder of another user, the verbs act as that user, so they leave no file
        there that the daemon
        cannot open.
        That user must be able to reach the folder: below
        .IR /var/lib/private ,
        where systemd's DynamicUser= puts it, the verbs are refused.
        .RE
        """#
}
