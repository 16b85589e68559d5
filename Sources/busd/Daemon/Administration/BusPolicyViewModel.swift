import BusdBroker
import BusdEventLoop
import BusdHosting
import BusdProtocol
import Glibc

/// `bus/policy`: reads the policy file again.
final class BusPolicyViewModel: HostedViewModel, AdministrativeViewModel {
    typealias Kind = BusPolicy

    struct Services {
        let file: PolicyFile
        /// The policy at the start.
        let content: PolicyFile.Content
        let loader: PolicyLoader
        /// The events that a policy can decide.
        let events: () -> [SendableEvent]
        /// Calls the function when the policy is in force for all connections.
        let enforce: (Policy, @escaping () -> Void) -> Void
        let log: DaemonLog
    }

    static let placement = Placement.fixed(BusPolicy.address)

    let output = Output<BusPolicy.ViewModelEvent>()
    private let services: Services

    init(at address: Address, services: Services) { self.services = services }

    func start() { show(services.content) }

    func refusal(of event: BusPolicy.ViewEvent) -> Refusal? {
        services.loader.isReading
            ? Refusal(.unavailable, "the policy is being read: try again") : nil
    }

    func handle(event: BusPolicy.ViewEvent) { _ = changes(handling: event) }

    /// The event with the outcome is sent in a later turn.
    func changes(handling event: BusPolicy.ViewEvent) -> Bool {
        do {
            try services.loader.begin(services.events()) { [weak self] in self?.read($0) }
        } catch {
            fail("no thread could be made: \(String(cString: strerror(error.code)))")
        }
        return true
    }

    /// The policy is put into force even if the text is the same: a name may have another id now.
    private func read(_ outcome: PolicyLoader.Outcome) {
        switch outcome {
        case .success(let content):
            services.enforce(content.policy) { [weak self] in
                self?.show(content)
                self?.output.send(.reloaded(warnings: content.warnings))
            }
        case .failure(let faults): fail("\(faults)")
        }
    }

    private func fail(_ reason: String) {
        services.log.warning("the policy stays as it is: \(reason)")
        output.send(.failed(reason: reason))
    }

    private func show(_ content: PolicyFile.Content) {
        for warning in content.warnings { services.log.warning(warning) }
        services.log.info("the policy \(services.file.path) is in force: \(content.size)")
        output.send(
            .policy(
                path: services.file.path, text: content.text, owner: Int(clamping: geteuid())))
    }
}
