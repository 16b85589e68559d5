// Generated from Login.swift by scripts/event-code.sh.
// To change it, change that file and run the script.

extension Login.ViewEvent {
    public var name: String {
        switch self {
        case .usernameChanged: "usernameChanged"
        case .passwordChanged: "passwordChanged"
        case .loginTapped: "loginTapped"
        }
    }
}

extension Login.ViewModelEvent {
    public var name: String {
        switch self {
        case .loginButtonEnabled: "loginButtonEnabled"
        case .busy: "busy"
        case .showSuccessMessage: "showSuccessMessage"
        case .showFailureMessage: "showFailureMessage"
        }
    }
}
