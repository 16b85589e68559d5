// Generated from BusAdministration.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension BusUsers.ViewEvent {
    public var name: String {
        switch self {
        case .addUser: "addUser"
        case .removeUser: "removeUser"
        }
    }
}

extension BusUsers.ViewModelEvent {
    public var name: String {
        switch self {
        case .users: "users"
        }
    }
}

extension BusStore.ViewEvent {
    public var name: String {
        switch self {
        case .backUp: "backUp"
        case .restore: "restore"
        }
    }
}

extension BusStore.ViewModelEvent {
    public var name: String {
        switch self {
        case .backedUp: "backedUp"
        case .failed: "failed"
        }
    }
}

extension BusPolicy.ViewEvent {
    public var name: String {
        switch self {
        case .reload: "reload"
        }
    }
}

extension BusPolicy.ViewModelEvent {
    public var name: String {
        switch self {
        case .policy: "policy"
        case .reloaded: "reloaded"
        case .failed: "failed"
        }
    }
}
