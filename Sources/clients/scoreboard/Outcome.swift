/// How the program ends.
enum Outcome: Equatable {
    case done
    case noConnection(String)
    case refused(String)
    case signalled(Int32)

    var status: Int32 {
        switch self {
        case .done: 0
        case .noConnection: 1
        case .refused: 2
        case .signalled(let signal): 128 + signal
        }
    }

    /// For standard error; nil where there is nothing to be said.
    var message: String? {
        switch self {
        case .done, .signalled: nil
        case .noConnection(let text), .refused(let text): text
        }
    }
}
