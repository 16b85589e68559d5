/// A view model with its type erased, but not the types of its events. It owns the view model.
///
/// `start()` of the view model runs once, however many views bind through however many wrappers:
/// the mark is kept in the output, which the wrappers share.
public final class AnyViewModel<ViewEvent: WireEvent, ViewModelEvent: WireEvent>: ViewModel {
    public let output: Output<ViewModelEvent>
    private let handleEvent: (ViewEvent) -> Void
    private let startBase: () -> Void

    public init<Base: ViewModel>(_ base: Base)
    where Base.ViewEvent == ViewEvent, Base.ViewModelEvent == ViewModelEvent {
        output = base.output
        handleEvent = base.handle(event:)
        startBase = base.start
    }

    public func handle(event: ViewEvent) { handleEvent(event) }
    public func start() { startBase() }
}
