/// A set of view models that belong together, and the things behind them:
///
///     extension Application {
///         public static let shopping = Application { host in
///             host.register(ShoppingViewModel.self, services: Library(host.libraries))
///         }
///     }
///
/// A daemon hosts it (`BusDaemon.run(.shopping)`), and so does a test (`TestBus(.shopping)`).
public struct Application: Sendable {
    private let install: @Sendable (Host) throws -> Void

    /// - Parameter install: registers the kinds of view models with a host, and makes the libraries
    ///   of their things. It is called once for each host, and a daemon makes more than one: it
    ///   asks a host without a store which kinds there are. If it throws, the daemon does not
    ///   start.
    public init(_ install: @escaping @Sendable (Host) throws -> Void) { self.install = install }

    package func install(on host: Host) throws { try install(host) }
}
