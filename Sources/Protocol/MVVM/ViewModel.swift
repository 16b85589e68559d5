/// The state and the rules of a screen. It imports no user interface and knows no view: view events
/// come in through `handle(event:)`, view-model events go out through `output`.
public protocol ViewModel<ViewEvent, ViewModelEvent>: AnyObject {
    /// The events that come from views.
    associatedtype ViewEvent: WireEvent
    /// The events that go to views.
    associatedtype ViewModelEvent: WireEvent

    /// Sends the events of the view model to all views.
    var output: Output<ViewModelEvent> { get }

    /// Handles an event from a view.
    func handle(event: ViewEvent)

    /// Called once, after the first view is bound: send every value here.
    func start()
}

extension ViewModel {
    public func start() {}

    /// Calls `start()` unless it has been called. Returns whether it did.
    @discardableResult
    public func startOnce() -> Bool {
        guard !output.hasStarted else { return false }
        output.hasStarted = true
        start()
        return true
    }
}

/// Draws a screen, a line of text, a widget. It has no rules and knows no model.
public protocol View<ViewEvent, ViewModelEvent>: AnyObject {
    /// The events that go to the view model.
    associatedtype ViewEvent: WireEvent
    /// The events that come from the view model.
    associatedtype ViewModelEvent: WireEvent

    /// Sends the events of the view to the view model.
    var output: Output<ViewEvent> { get }

    /// Handles an event from the view model: shows it.
    func handle(event: ViewModelEvent)

    /// Called once while binding, when `output` has its handler: connect keys and widgets to it
    /// here.
    func setupBindings()
}

extension View {
    public func setupBindings() {}

    /// Binds this view and a view model with matching events, weakly in both directions.
    ///
    /// A view model starts after its first view is bound, so that view gets all that `start()`
    /// sends. A view that is bound later first gets the current values.
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
