public import BusdHosting

extension Application {
    /// The smallest view model.
    public static let echo = Application { host in host.register(EchoViewModel.self) }
}
