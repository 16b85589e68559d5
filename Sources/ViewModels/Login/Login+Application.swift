public import BusdHosting
import BusdProtocol

extension Application {
    /// Signing in with the name and the password of one of the daemon's users.
    public static let login = Application { host in
        let services = LoginServices(host: host, passwords: host.passwords)
        host.register(LoginViewModel.self, services: services)
    }
}

private struct LoginServices: HasHost, HasPasswords {
    let host: Host
    let passwords: any PasswordService
}
