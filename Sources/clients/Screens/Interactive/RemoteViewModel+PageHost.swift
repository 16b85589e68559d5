package import BusdClient
package import BusdProtocol

extension RemoteViewModel {
    /// Draws after each complete update, and shows a notice if an event failed.
    package func report(to host: (any PageHost)?) {
        onUpdate = { [weak host] in host?.changed() }
        onLiveChanged = { [weak host] _ in host?.changed() }
        onRefused = { [weak host] error in host?.showNotice("refused: \(error.message)") }
        onUnsent = { [weak host] event in host?.showNotice("\(event.name) was not sent") }
        onUnanswered = { [weak host] event in host?.showNotice(event.withoutAnswer) }
    }
}

extension WireEvent {
    /// Notice after an event was sent and no answer came.
    package var withoutAnswer: String { "no answer: \(name) may not have been done" }
}
