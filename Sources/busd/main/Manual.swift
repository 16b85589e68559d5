import BusdOptions

extension Busd {
    /// The prose of busd(8).
    static let manual = Manual(
        section: 8,
        description: #"""
            .B busd
            keeps the view models of a program \(em the state and the rules of its screens \(em and
            lets views attach
            to them through a Unix socket.
            A view is whatever subscribes: a terminal's screen, a status bar, a line of shell.
            What they say to each other is one JSON object a line; see
            .BR busd\-protocol (7).
            .PP
            It listens on two sockets.
            Through the control socket everything is allowed; through the view socket one may look,
            and not send.
            Only a socket's owner, group and mode decide who may use it.
            .PP
            It stays in the foreground, and tells what it does on standard error.
            """#,
        sections: [
            (
                "SOCKETS",
                #"""
                A socket file that nobody listens on any more is taken over.
                Where there is a daemon that does listen, a link, a file or a folder, it stays as it
                is, and
                .B busd
                does not start.
                A folder that every user may write into, and that is not sticky as
                .I /tmp
                is, is refused, because any user could replace the socket.
                A file
                .I PATH.lock
                beside each socket keeps two daemons from one place.
                .PP
                Sockets that systemd opened are used in place of the paths: one that is named
                .BR control ,
                one that is named
                .B view
                .RI ( FileDescriptorName= ).
                """#
            ),
            (
                "SIGNALS",
                #"""
                .TP
                .BR SIGTERM ", " SIGINT ", " SIGHUP
                Pending requests are finished and all clients get
                .BR bye ,
                for at most two seconds. Then drafts and states are saved, and the daemon exits with
                0.
                A second signal cuts that short.
                SIGHUP is ignored if it was ignored at the start, as under
                .BR nohup (1).
                Signals that were blocked at the start are unblocked.
                """#
            ),
            (
                "SYSTEMD",
                #"""
                For the whole machine:
                .PP
                .RS
                .nf
                systemctl daemon\-reload
                systemd\-sysusers
                systemctl enable \-\-now busd.socket busd\-view.socket
                .fi
                .RE
                .PP
                The daemon starts when somebody connects.
                It runs as the user
                .BR busd ;
                users in the group
                .B busd
                may send, and all users may look.
                .B usermod \-\-append \-\-groups busd
                .I USER
                puts a user into the group, from that user's next login on.
                A daemon for one user, here the user with the id 1000, is started as follows.
                Only that user may use its sockets.
                The user's programs find them by
                .IR /run/user/1000/busd ,
                a link to
                .IR /run/busd\-1000 :
                .PP
                .RS
                .nf
                systemctl enable \-\-now busd@1000.socket busd\-view@1000.socket
                .fi
                .RE
                .PP
                It runs as that user, in the same sandbox, and keeps its state in
                .IR /var/lib/busd\-1000 .
                Its sockets are there from when the user signs in; after
                .B loginctl enable\-linger
                always.
                .PP
                For a house of several machines
                .I busd-house.conf
                in
                .I share/doc/busd
                is a drop-in for the service.
                .PP
                It tells systemd when it is ready, and that it is alive (the watchdog).
                Its lines carry their levels into the journal.
                """#
            ),
            (
                "FILES",
                #"""
                .TP
                .IR $XDG_RUNTIME_DIR/busd/busd.sock ", " /run/busd/busd.sock
                The control socket, mode 0660.
                .TP
                .IR $XDG_RUNTIME_DIR/busd/view.sock ", " /run/busd/view.sock
                The view socket, mode 0666.
                .TP
                .I DIR/log.sqlite
                Every change, in order.
                A change is on the disk in this file before it is shown and answered.
                The folder gives no access to others; its files have mode 0600.
                .TP
                .I DIR/state.sqlite
                The games, books and users as they were after some change of the log, so that a
                start is fast; drafts of a planned stop.
                .TP
                .IR DIR/log.sqlite\-wal ", " DIR/state.sqlite\-wal
                Parts of these files, while the daemon runs. Never remove or copy them alone.
                .TP
                .I DIR/store.ids
                The ids that may have been used, so that none is used twice if the databases are
                lost.
                .TP
                .IR DIR/copy\-1.sqlite ", " DIR/copy\-2.sqlite
                Two verified copies, made after a start and once a day if three times the space is
                free.
                A start reads them if the other files are damaged.
                .TP
                .I DIR/store.lock
                Keeps two daemons from one store.
                .TP
                .I DIR/store.sqlite
                A store of an older version, or a backup that is put back.
                The next start reads it.
                It renames an older store to
                .IR store.sqlite.v4 ,
                and a backup to
                .IR copy-1.sqlite .
                .TP
                .IR DIR/*.damaged\-1 ", " DIR/*.replaced\-1
                Files that a start has set aside. Remove them when they are no longer needed.
                .TP
                .I DIR/backup.sqlite
                The copy that
                .B busd backup
                makes, until it has its place.
                .TP
                .I DIR/control.sock
                While the daemon runs, a link to its control socket.
                .B busd backup
                and
                .B busd user
                follow it to the view models
                .I bus/store
                and
                .IR bus/users ,
                which only root and the daemon's own user can reach.
                """#
            ),
        ],
        seeAlso: ["viewctl(1)", "scoreboard(1)", "busd-protocol(7)", "systemd.socket(5)"])
}
