import BusdOptions
import BusdProtocol

// The text about the verbs in the man page, besides their summaries, in roff.

extension Maintenance {
    static let statuses: [ExitStatus.Meaning] = [
        (
            .badInput,
            "check, backup: the store is damaged; policy check: the file has faults; standard "
                + "output has the findings"
        ),
        (.tryAgain, "check: a daemon uses the store"),
    ]

    static let examples = [
        "busd --socket /tmp/mine/busd.sock --state :memory: &",
        "echo list | socat -t60 - UNIX-CONNECT:/tmp/mine/busd.sock",
        "sudo busd user add ann",
    ]

    static func environment(of daemon: DaemonName) -> [(name: String, text: String)] {
        let text = "the socket of the daemon, for the verbs"
        return [(name: daemon.socketVariable, text: text)]
    }

    static let detailsOfCheck = #"""
        Nothing is changed. A snapshot, or a store on a read-only disk, can be checked, too.
        Without
        .BR \-\-state ,
        a running daemon is asked for its store first, else the default store is verified.
        Damage is printed, one finding per line, and the exit status is 65.
        If a daemon uses the store, nothing is checked, and the exit status is 75.
        """#

    static let detailsOfHouse = #"""
        .BR join ,
        .B leave
        and
        .B restore
        change the store of a stopped daemon, which
        .B \-\-state
        names.
        All actions but
        .B leave
        and
        .B status
        need
        .BR \-\-log .
        .RS
        .TP
        \fBhouse join \fINAME\fR
        Begin a house with the content of the store.
        A house that has content is refused.
        .TP
        \fBhouse leave\fR
        The store belongs to no house any more, and keeps its content.
        .TP
        \fBhouse restore\fR
        Begin the house again with this store, if its log in Redis is lost or older than the
        stores of its daemons.
        Run it on the daemon with the newest entry, which
        .I bus/house
        shows.
        If another daemon or Redis has a newer entry, the command asks first, or needs
        .BR \-\-yes .
        Nothing is restored automatically, because two daemons could restore different states.
        .TP
        \fBhouse status\fR
        Print whether the store follows its house, and what to do.
        A running daemon is asked; else the command reads the store and Redis, and changes nothing.
        The exit status is 1 unless the daemon follows, or could follow.
        .TP
        \fBhouse list\fR
        Print the houses of a Redis, one per line: the name, the number of its newest entry, the
        number of things in its states and the entry that these are as of (\- if there are none),
        the memory in bytes, K, M or G, the number of daemons alive, and the time since the last
        sign of life of a daemon.
        .TP
        \fBhouse remove \fINAME\fR
        Remove a house from a Redis. The command asks first; without a terminal it needs
        .BR \-\-yes ,
        else the exit status is 64.
        A house with a daemon alive is not removed.
        .RE
        """#

    static let detailsOfPolicy = #"""
        .RS
        .TP
        \fBpolicy check \fIFILE\fR
        Print each fault of a policy file, as
        .IR FILE:LINE:COLUMN ,
        on one line, and each line that can never act.
        The exit status is 65 if there is a fault.
        .TP
        \fBpolicy who \fIUSER ADDRESS\fR [\fIEVENT\fR]
        Print what the user may do at the address, and which line of the policy says so.
        The policy is the file of
        .BR \-\-policy ,
        or else that of the running daemon, as it is in force.
        .TP
        \fBpolicy reload\fR
        Make the running daemon read its file again.
        No client is lost. A file with a fault changes nothing.
        .RE
        .IP
        Without
        .BR \-\-policy ,
        only root and the daemon's own user can use
        .B who
        and
        .BR reload .
        """#

    static let detailsOfBackup = #"""
        The store is found as for
        .BR "busd user" .
        The copy is made in
        .I DIR
        first, and replaces
        .I FILE
        when it is complete and on the disk.
        It has mode 0600. Its owner is the user of the command.
        If the command is interrupted, a copy may stay in
        .IR DIR ;
        the next backup replaces it.
        If
        .I DIR
        is read-only, the copy is made in a folder below
        .BR TMPDIR ,
        or else /tmp.
        .I FILE
        may be an older copy, which is replaced.
        A link, a FIFO or anything else that is not a regular file is refused.
        On a full disk, stop the daemon and copy
        .I DIR
        to another disk instead.
        Damaged rows are not copied. If the store of a stopped daemon, or the copy, is damaged,
        .B busd
        reports it and exits with 65, but the copy is made.
        """#

    static let detailsOfRestore = #"""
        .I FILE
        is a copy that
        .B "busd backup"
        has made, or
        .I copy\-1.sqlite
        or
        .I copy\-2.sqlite
        of a store.
        The store is found as for
        .BR "busd user" .
        .I FILE
        is copied into the folder and checked there; if it is damaged, or no copy, nothing is
        changed.
        Then a daemon that runs ends as at a planned stop, and starts again with the content of
        .IR FILE ;
        its clients are disconnected, and changes since the copy are not served any more.
        .IP
        What was there is kept as
        .IR DIR/*.replaced\-1 ,
        and named; the copy is kept as
        .IR DIR/copy\-1.sqlite .
        Ids that were given out after the copy are not used again, if
        .I DIR/store.ids
        is there.
        The store of a house is not restored; see
        .BR "busd house restore" .
        """#

    static let detailsOfUser = #"""
        Five failures in a row lock a name for 30 seconds, for clients of the same uid.
        .RS
        .TP
        \fBuser add \fINAME\fR
        On a terminal, the command asks for the password twice and does not show it.
        Otherwise the password is the first line of standard input.
        An existing user gets a new password.
        A name has 1 to 40 characters, at most 200 bytes, in UTF-8.
        Invisible and private-use characters are not allowed, nor spaces other than the plain one,
        nor a space at an end.
        Names are compared as bytes: names that look the same but have other code points are
        different users.
        A password has 1 to 1024 bytes of text.
        Passwords are compared as bytes too: a letter that can be written in two ways makes two
        passwords.
        .TP
        \fBuser remove \fINAME\fR
        The user cannot sign in any more.
        If there is no such user, the exit status is 1.
        .TP
        \fBuser list\fR
        Print the users' names, one per line.
        .PP
        With
        .BR \-\-state ,
        the command uses that store, and finds its daemon through the link
        .IR DIR/control.sock .
        Without it, the command asks a running daemon for its store: the daemon at
        .BR \-\-socket ,
        else at
        .BR BUSD_SOCKET ,
        else at the user's own socket, else at
        .IR /run/busd/busd.sock .
        Only root and the daemon's own user get an answer.
        If no socket is named and no daemon runs, the command uses the default store; if root has
        none, that in
        .IR /var/lib/busd .
        It prints the folder of the store after each change.
        It does not create a store: start the daemon first.
        .PP
        The store has a hash of each password (Argon2id), not the password.
        When a verb reports a change, the change is on the disk.
        It applies from the next sign-in on.
        .PP
        If root runs a verb on the folder of another user, the verb acts as that user, so that the
        daemon can open all files.
        That user must be able to reach the folder: below
        .IR /var/lib/private ,
        where systemd's DynamicUser= puts it, the verbs are refused.
        .RE
        """#
}
