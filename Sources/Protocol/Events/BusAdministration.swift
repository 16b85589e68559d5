// For the administrator: these exist on the control socket, for root and the daemon's own user.

/// `bus/users`: the accounts for `login`.
public enum BusUsers: ViewModelKind {
    public static let name = "users"
    /// The only address of the kind.
    public static let address = Address.literal("bus/users")
    /// In bytes.
    public static let limits = [
        Limit("username", most: TypedUsername.mostBytes), Limit("hash", most: Secret.mostBytes),
    ]

    public enum ViewEvent: WireEvent {
        /// Adds a user, or changes the password of a user. `hash` is an Argon2id hash, as text.
        case addUser(name: TypedUsername, hash: Secret)
        /// Removes a user. No effect if there is no such user.
        case removeUser(name: TypedUsername)

        public static let examples: [Self] = [
            .addUser(name: .literal("ann"), hash: Secret("…")),
            .removeUser(name: .literal("ann")),
        ]
    }

    public enum ViewModelEvent: WireEvent {
        /// Sorted by their bytes.
        case users(names: [String])

        public var delivery: Delivery { .latest }

        public static let examples: [Self] = [.users(names: ["ann", "bob"])]
    }
}

/// `bus/store`: copies of the store, and backups that replace it.
public enum BusStore: ViewModelKind {
    public static let name = "store"
    /// The only address of the kind.
    public static let address = Address.literal("bus/store")

    public enum ViewEvent: WireEvent {
        /// Writes a consistent copy beside the store. There is one file for it, which is reserved
        /// until the connection that asked for the copy ends.
        case backUp
        /// Starts the daemon again with the backup that `busd restore` has put into the folder of
        /// the store. Refused if there is none.
        case restore

        public static let examples: [Self] = [.backUp, .restore]
    }

    public enum ViewModelEvent: WireEvent {
        /// The copy is complete. `path` is relative if `--state` is.
        case backedUp(path: String)
        /// There is no copy. `reason` is a phrase for people.
        case failed(reason: String)

        public static let examples: [Self] = [
            .backedUp(path: "/var/lib/busd/backup.sqlite"),
            .failed(reason: "database or disk is full"),
        ]
    }
}

/// `bus/policy`: the rights of users and groups. It exists if the daemon has a policy (`--policy`).
public enum BusPolicy: ViewModelKind {
    public static let name = "policy"
    /// The only address of the kind.
    public static let address = Address.literal("bus/policy")
    /// Bytes of the file.
    /// Bytes of the file.
    package static let text = Limit("text", most: 1 << 16)
    public static let limits = [text]

    public enum ViewEvent: WireEvent {
        /// Reads the file again. No client is lost: it is sent `gone` for each view model that it
        /// may not look at any more, and the view models that it may look at now arrive. `reloaded`
        /// or `failed` follows, when the names of users and groups have been looked up.
        case reload

        public static let examples: [Self] = [.reload]
    }

    public enum ViewModelEvent: WireEvent {
        /// The policy in force: the path and the text of its file. `owner` is the id of the user
        /// that the daemon runs as. No policy restricts this user.
        case policy(path: String, text: String, owner: Int)
        /// The file was read again, and is in force. `warnings` are lines about users and groups
        /// that do not exist: they match nobody.
        case reloaded(warnings: [String])
        /// The policy stays as it is. `reason` has a line for each fault, for people.
        case failed(reason: String)

        public var delivery: Delivery { if case .policy = self { .latest } else { .every } }

        public static let examples: [Self] = [
            .policy(path: "/etc/busd/policy", text: "@scorers send scoreboard/**\n", owner: 992),
            .reloaded(warnings: ["/etc/busd/policy:3:1: there is no user 'ann'"]),
            .failed(reason: "/etc/busd/policy:4:5: 'sned': write -, look or send"),
        ]
    }
}
