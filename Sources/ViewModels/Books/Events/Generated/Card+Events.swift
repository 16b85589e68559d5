// Generated from Card.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

public import BusdProtocol

extension Card {
    public func write(to out: inout JSONWriter) {
        out.plainObject { out in
            out.member("front", front) && out.member("back", back)
        }
    }
}
