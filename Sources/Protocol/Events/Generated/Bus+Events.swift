// Generated from Bus.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension BusViews.Row {
    public func write(to out: inout JSONWriter) {
        out.plainObject { out in
            out.member("connection", connection) && out.member("name", name)
                && out.member("as", `as`) && out.member("to", to) && out.member("access", access)
                && out.member("pid", pid) && out.member("uid", uid) && out.member("missed", missed)
                && out.member("since", since)
        }
    }
}

extension BusViews.ViewModelEvent {
    public var name: String { "views" }

    public func writePlainly(to out: inout JSONWriter) -> Bool {
        out.plainEvent(name) { out in
            switch self {
            case .views(let views, let omitted):
                out.member("views", views) && out.member("omitted", omitted)
            }
        }
    }
}
