// Generated from Bus.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension BusViews.ViewModelEvent {
    public var name: String {
        switch self {
        case .views: "views"
        }
    }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .views(let views, let omitted):
                out.member("views", views)
                if let omitted { out.member("omitted", omitted) }
            }
        }
    }
}

extension BusStatistics.ViewModelEvent {
    public var name: String {
        switch self {
        case .statistics: "statistics"
        }
    }
}

extension BusClock.ViewEvent {
    public var name: String {
        switch self {
        case .advance: "advance"
        case .pause: "pause"
        case .resume: "resume"
        case .goTo: "goTo"
        }
    }
}

extension BusClock.ViewModelEvent {
    public var name: String {
        switch self {
        case .replay: "replay"
        }
    }
}
