import BusdScreens
import BusdTerminal

/// The commands of the page. All other keys edit the focused field.
enum LoginCommand: Equatable {
    case otherField
    case confirm
    case leave
    case edit(Key)

    init(_ key: Key) {
        switch key {
        case .tab, .backTab, .down, .up: self = .otherField
        case .enter: self = .confirm
        case .escape: self = .leave
        default: self = .edit(key)
        }
    }

    static func hints(_ view: LoginView) -> [Hint] {
        let leave = Hint("esc", "leave", .escape)
        if view.isBusy { return [leave] }
        if !view.canLogIn { return [Hint("enter", "next", .enter), leave] }
        return [Hint("enter", "log in", .enter), Hint("tab", "next", .tab), leave]
    }
}
