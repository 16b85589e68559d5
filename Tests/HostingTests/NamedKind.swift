import BusdProtocol

/// A kind with a name and a placement that the test sets.
enum NamedKind: ViewModelKind {
    @TaskLocal static var current: (name: String, placement: Placement) = ("mine", .onDemand)

    static var name: String { current.name }

    enum ViewEvent: WireEvent, NoEvent {}
    enum ViewModelEvent: WireEvent, NoEvent {}
}

final class NamedViewModel: HostedViewModel {
    typealias Kind = NamedKind

    static var placement: Placement { NamedKind.current.placement }

    let output = Output<NamedKind.ViewModelEvent>()

    init(at address: Address, services: Void) {}

    func handle(event: NamedKind.ViewEvent) {}
}
