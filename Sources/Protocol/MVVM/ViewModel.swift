/// The state and the rules of a screen. It imports no user interface and knows no view: view events
/// come in through `handle(event:)`, view-model events go out through `output`.
public protocol ViewModel<ViewEvent, ViewModelEvent>: AnyObject {
    associatedtype ViewEvent: WireEvent
    associatedtype ViewModelEvent: WireEvent

    var output: Output<ViewModelEvent> { get }

    /// Something happened in a view.
    func handle(event: ViewEvent)

    /// Called once, when the first view hears: announce every value here.
    func start()
}

extension ViewModel {
    public func start() {}

    /// Calls `start()` unless that has been done, and says whether it did.
    @discardableResult
    public func startOnce() -> Bool {
        guard !output.hasStarted else { return false }
        output.hasStarted = true
        start()
        return true
    }
}

/// What is drawn: a screen, a line of text, a widget. It holds no rule, and knows no model.
public protocol View<ViewEvent, ViewModelEvent>: AnyObject {
    associatedtype ViewEvent: WireEvent
    associatedtype ViewModelEvent: WireEvent

    var output: Output<ViewEvent> { get }

    /// The view model says something: show it.
    func handle(event: ViewModelEvent)

    /// Called once while binding, when `output` is heard: connect keys and widgets to it here.
    func setupBindings()
}

extension View {
    public func setupBindings() {}

    /// Binds this view and a view model with matching events, weakly in both directions.
    ///
    /// The view first hears the present values. A view model starts when its first view is bound,
    /// so what `start()` announces is never lost; a view that comes later is told the same values.
    public func bind<Model: ViewModel>(with viewModel: Model)
    where Model.ViewEvent == ViewEvent, Model.ViewModelEvent == ViewModelEvent {
        output.bind(viewModel) { $0.handle(event: $1) }
        setupBindings()
        if viewModel.output.hasStarted {
            for event in viewModel.output.current { handle(event: event) }
            viewModel.output.bind(self) { $0.handle(event: $1) }
        } else {
            viewModel.output.bind(self) { $0.handle(event: $1) }
            viewModel.startOnce()
        }
    }
}
