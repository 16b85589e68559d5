// Generated from BusTraffic.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension BusConnections.ViewModelEvent {
    public var name: String {
        switch self {
        case .connections: "connections"
        }
    }
}

extension BusTap.ViewModelEvent {
    public var name: String {
        switch self {
        case .sends: "sends"
        case .totals: "totals"
        }
    }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .sends(let sends): out.member("sends", sends)
            case .totals(let shown, let others):
                out.member("shown", shown)
                out.member("others", others)
            }
        }
    }
}
