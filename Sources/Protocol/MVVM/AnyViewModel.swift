/// A view model without its own type; the types of its events remain. It owns the view model.
///
/// `start()` of the view model runs once, for any number of views and wrappers: the wrappers share
/// the output, which keeps the mark `hasStarted`.
public final class AnyViewModel<ViewEvent: WireEvent, ViewModelEvent: WireEvent>: ViewModel {
    public let output: Output<ViewModelEvent>
    private let handleEvent: (ViewEvent) -> Void
    private let startBase: () -> Void

    /// Wraps a view model, and shares its output.
    public init<Base: ViewModel>(_ base: Base)
    where Base.ViewEvent == ViewEvent, Base.ViewModelEvent == ViewModelEvent {
        output = base.output
        handleEvent = base.handle(event:)
        startBase = base.start
    }

    public func handle(event: ViewEvent) { handleEvent(event) }
    public func start() { startBase() }
}
