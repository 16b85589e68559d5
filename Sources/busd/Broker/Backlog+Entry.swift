import BusdProtocol

extension Backlog {
    /// A line, or a place where lines will stand.
    struct Entry {
        enum Kind: Equatable {
            /// An event; `previous` is the last `seq` that stood in line before it.
            case event(ModelID, seq: Int, previous: Int, at: Instant)
            case arrival(ModelID, at: Instant)
            case answer
            case joined(ModelID, seq: Int)
            case patternLive
            case gone(ModelID)
            case notice
            /// Here the gaps of this number will be told. It has no bytes yet.
            case gap(Int)
            /// Here what is shown in pieces goes on. It has no bytes.
            case showing(Shown)

            /// It is not shown anew when it has been passed over.
            var isSaidOnce: Bool {
                switch self {
                case .answer, .joined, .patternLive, .gone, .showing(.request): true
                default: false
                }
            }

            /// Nothing behind it is written before something is put in its place.
            var isPlace: Bool {
                switch self {
                case .gap, .showing: true
                default: false
                }
            }
        }

        enum Shown {
            /// What the last request asks for.
            case request
            /// Those that have come while the view was too slow.
            case arrivals
        }

        let kind: Kind
        var length: Int
        var isBegun = false
        /// Bytes of it that were shared when it came.
        var sharedLength = 0
    }
}
