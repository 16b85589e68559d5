import BusdProtocol
import Testing

@Suite struct BindingTests {
    @Test func `A view and a view model are bound in both directions`() {
        let (view, model) = (ListView(), CounterViewModel())
        view.bind(with: model)
        view.output.send(.tapped)
        #expect(
            view.shown == [
                .count(value: 0), .title(text: "Laps"), .count(value: 1), .rang(times: 1),
            ])
    }

    @Test func `A view sets up its bindings once, and may send already`() {
        let (view, model) = (ListView(), CounterViewModel())
        view.whenSetUp = { view.output.send(.renamed(text: "early")) }
        view.bind(with: model)
        #expect(view.setUps == 1)
        // The event is handled before the start, so the view gets only the values of the start.
        #expect(view.shown == [.count(value: 0), .title(text: "Laps")])
        #expect(model.starts == 1)
    }

    @Test func `A view model starts once, however many views are bound`() {
        let model = CounterViewModel()
        let views = (0..<3).map { _ in ListView() }
        for view in views { view.bind(with: model) }
        #expect(model.starts == 1)
        #expect(views.allSatisfy { $0.shown == [.count(value: 0), .title(text: "Laps")] })
    }

    @Test func `A view that is bound later gets the values, and no past message`() {
        let model = CounterViewModel()
        ListView().bind(with: model)
        model.handle(event: .tapped)
        model.handle(event: .renamed(text: "Rounds"))
        let late = ListView()
        late.bind(with: model)
        #expect(late.shown == [.count(value: 1), .title(text: "Rounds")])
        model.handle(event: .tapped)
        #expect(late.shown.suffix(2) == [.count(value: 2), .rang(times: 2)])
    }

    @Test func `A view and a view model do not keep each other alive`() {
        let model = CounterViewModel()
        var view: ListView? = ListView()
        weak let goneView = view
        view?.bind(with: model)
        view = nil
        #expect(goneView == nil)

        let other = ListView()
        var owned: CounterViewModel? = CounterViewModel()
        weak let goneModel = owned
        if let owned { other.bind(with: owned) }
        owned = nil
        #expect(goneModel == nil)
        other.output.send(.tapped)
        #expect(other.shown == [.count(value: 0), .title(text: "Laps")])
    }

    @Test func `A view that is bound while an event is sent gets each event once`() {
        let model = CounterViewModel()
        let (early, late) = (ListView(), ListView())
        early.bind(with: model)
        early.whenShown = { event in
            // Only the count has been sent so far.
            if event == .count(value: 1) { late.bind(with: model) }
        }
        model.handle(event: .tapped)
        #expect(late.shown == [.count(value: 1), .title(text: "Laps"), .rang(times: 1)])
    }

    @Test func `The method startOnce reports whether it started the view model`() {
        let model = CounterViewModel()
        #expect(model.startOnce())
        #expect(!model.startOnce())
        #expect(model.starts == 1)
    }
}

@Suite struct TypeErasureTests {
    @Test func `A wrapped view model is bound like the view model itself`() {
        let (view, model) = (ListView(), CounterViewModel())
        view.bind(with: AnyViewModel(model))
        #expect(view.shown == [.count(value: 0), .title(text: "Laps")])
    }

    @Test func `A view model starts once, however many wrappers it has`() {
        let model = CounterViewModel()
        let wrappers = [AnyViewModel(model), AnyViewModel(model)]
        let views = [ListView(), ListView(), ListView()]
        views[0].bind(with: wrappers[0])
        views[1].bind(with: wrappers[1])
        views[2].bind(with: AnyViewModel(wrappers[0]))
        #expect(model.starts == 1)
        wrappers[1].handle(event: .tapped)
        #expect(views.allSatisfy { $0.shown.last == .rang(times: 1) })
    }

    @Test func `A wrapper owns its view model`() {
        var model: CounterViewModel? = CounterViewModel()
        weak let kept = model
        var wrapper = model.map { AnyViewModel($0) }
        model = nil
        #expect(kept != nil)
        wrapper?.start()
        #expect(kept?.starts == 1)
        wrapper = nil
        #expect(kept == nil)
    }

    @Test func `A view model may announce nothing when it starts`() {
        final class Silent: ViewModel {
            let output = Output<Tally>()
            func handle(event: Tap) {}
        }
        final class Plain: View {
            let output = Output<Tap>()
            var shown: [Tally] = []
            func handle(event: Tally) { shown.append(event) }
        }
        let (view, model) = (Plain(), Silent())
        view.bind(with: model)
        #expect(view.shown == [])
    }
}
