import BusdOptions

extension Busd {
    /// The prose of busd(8).
    static let manual = Manual(
        section: 8,
        description: #"""
            .B busd
            hosts view models \(em the state and the rules of screens \(em and lets views attach to
            them through a Unix socket.
            A view is any client that subscribes: a screen in a terminal, a status bar, a line of
            shell.
            Views and
            .B busd
            exchange JSON objects, one per line; see
            .BR busd\-protocol (7).
            .PP
            The daemon listens on two sockets.
            The control socket allows everything; the view socket allows reading, but not sending.
            The owner, group and mode of a socket decide which users may connect.
            .PP
            The daemon stays in the foreground, and logs to standard error.
            """#,
        sections: [
            (
                "SOCKETS",
                #"""
                A socket file without a listening daemon is replaced.
                If a daemon listens there, or if there is a link, a file or a folder,
                .B busd
                leaves it alone and does not start.
                A folder that every user may write to is refused unless it is sticky, as
                .I /tmp
                is, because any user could replace the socket.
                A file
                .I PATH.lock
                beside each socket prevents two daemons from using one path.
                .PP
                If systemd has opened sockets with the names
                .B control
                and
                .B view
                .RI ( FileDescriptorName= ),
                the daemon uses them instead of the paths.
                """#
            ),
            (
                "SIGNALS",
                #"""
                .TP
                .BR SIGTERM ", " SIGINT ", " SIGHUP
                Within at most two seconds, pending requests are finished and all clients get
                .BR bye .
                Then drafts and states are saved, and the daemon exits with 0.
                A second signal ends this early.
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
                The daemon starts when the first client connects.
                It runs as the user
                .BR busd .
                Users in the group
                .B busd
                may send; all users may read.
                .B usermod \-\-append \-\-groups busd
                .I USER
                adds a user to the group, from the user's next login on.
                The command below starts a daemon for one user, here the user with the id 1000.
                Only that user may use its sockets.
                The user's programs find the sockets in
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
                This daemon runs as that user, in the same sandbox, and keeps its state in
                .IR /var/lib/busd\-1000 .
                Its sockets exist while the user is logged in; after
                .B loginctl enable\-linger
                they always exist.
                .PP
                For a house of several machines,
                .I busd-house.conf
                in
                .I share/doc/busd
                is a drop-in for the service.
                .PP
                The daemon notifies systemd when it is ready, and answers the watchdog.
                The journal has the level of each line.
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
                The games, books and users at some entry of the log, so that a start is fast; the
                drafts at a planned stop.
                .TP
                .IR DIR/log.sqlite\-wal ", " DIR/state.sqlite\-wal
                Parts of these files, while the daemon runs. Never remove or copy them alone.
                .TP
                .I DIR/store.ids
                The ids that may be in use, so that no id is used twice if the databases are lost.
                .TP
                .IR DIR/copy\-1.sqlite ", " DIR/copy\-2.sqlite
                Two verified copies, made after a start and once a day if three times their space is
                free.
                A start reads them if the other files are damaged.
                .TP
                .I DIR/store.lock
                Prevents two daemons from using one store.
                .TP
                .I DIR/store.sqlite
                A store of an older version, or a backup to restore.
                The next start reads it, and renames an older store to
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
                is making.
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
