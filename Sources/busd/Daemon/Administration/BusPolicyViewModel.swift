import BusdBroker
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
        /// The events that a policy can decide.
        let events: () -> [SendableEvent]
        let enforce: (Policy) -> Void
        let log: DaemonLog
    }

    static let placement = Placement.fixed(BusPolicy.address)

    let output = Output<BusPolicy.ViewModelEvent>()
    private let services: Services
    /// Read by `refusal`, for the event that is handled next.
    private var next: PolicyFile.Content?

    init(at address: Address, services: Services) { self.services = services }

    func start() { show(services.content) }

    func refusal(of event: BusPolicy.ViewEvent) -> Refusal? {
        do {
            next = try services.file.read(events: services.events)
            return nil
        } catch {
            services.log.warning("the policy stays as it is: \(error)")
            return Refusal(.badEvent, "the policy stays as it is:\n\(error)")
        }
    }

    func handle(event: BusPolicy.ViewEvent) { _ = changes(handling: event) }

    /// The policy is put into force even if the text is the same: a name may have another id now.
    func changes(handling event: BusPolicy.ViewEvent) -> Bool {
        guard case .reload = event, let content = next else { return false }
        next = nil
        services.enforce(content.policy)
        show(content)
        return true
    }

    private func show(_ content: PolicyFile.Content) {
        services.log.info("the policy \(services.file.path) is in force: \(content.size)")
        output.send(
            .policy(
                path: services.file.path, text: content.text, owner: Int(clamping: geteuid())))
    }
}
