import BusdClient
import BusdOptions
import BusdProtocol
import BusdScreens

/// The steps from the page.
enum Step: Equatable {
    case leave
    /// Signed in, with the daemon's message.
    case signedIn(String)
    /// The view model was refused.
    case refused(WireError)
}

/// The program has one page.
final class LoginRouter: Router {
    private let settings: Settings
    private let connection: BusConnection
    private let view: LoginView

    init(_ settings: Settings, _ connection: BusConnection) {
        self.settings = settings
        self.connection = connection
        view = LoginView(username: settings.user)
    }

    func firstPage(on host: any PageHost<Step>) -> any Page {
        LoginPage(view, settings.address, connection, on: host)
    }

    func go(_ step: Step, on interface: Interface<Step>) {
        switch step {
        case .leave: interface.leave()
        case .signedIn(let text): interface.end(Outcome(.done, text))
        case .refused(let error): interface.end(.refused(error))
        }
    }

    var outcome: Outcome { Outcome(.denied) }
}
