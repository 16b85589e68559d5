package import BusdClient
package import BusdProtocol

extension RemoteViewModel {
    /// Draws after each complete update, and shows a notice if an event failed.
    package func report(to stage: (any Stage)?) {
        onUpdate = { [weak stage] in stage?.changed() }
        onLiveChanged = { [weak stage] _ in stage?.changed() }
        onRefused = { [weak stage] error in stage?.say("refused: \(error.message)") }
        onUnsent = { [weak stage] event in stage?.say("\(event.name) was not sent") }
        onUnanswered = { [weak stage] event in stage?.say(event.withoutAnswer) }
    }
}

extension WireEvent {
    /// Notice after an event was sent and no answer came.
    package var withoutAnswer: String { "no answer: \(name) may not have been done" }
}
