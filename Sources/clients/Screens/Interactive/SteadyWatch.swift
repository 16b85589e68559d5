package import BusdClient
package import BusdProtocol

/// Keeps a view on a view model that is always there. A policy may hide it: then it is subscribed
/// to again every five seconds, because nothing tells when the next policy shows it.
package final class SteadyWatch {
    private static let delay = Duration.seconds(5)

    private let clock: any Clock
    private var retry: ScheduledAction?

    /// - Parameter hidden: called when the view model is hidden: the values are not those of the
    ///   daemon any more.
    package init<Kind>(
        _ viewModel: RemoteViewModel<Kind>, _ clock: any Clock, hidden: @escaping () -> Void
    ) {
        self.clock = clock
        let refused = viewModel.onRefused
        viewModel.onRefused = { [weak self, weak viewModel] error in
            guard error.code == .unknownViewModel else {
                refused?(error)
                return
            }
            hidden()
            self?.tryAgain(viewModel)
        }
        viewModel.onGone = { [weak self, weak viewModel] in
            hidden()
            self?.tryAgain(viewModel)
        }
    }

    private func tryAgain<Kind>(_ viewModel: RemoteViewModel<Kind>?) {
        retry = clock.schedule(after: Self.delay) { [weak viewModel] in viewModel?.start() }
    }
}
