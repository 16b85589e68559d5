import BusdProtocol
import BusdTestKit
import Shopping
import ShoppingViewModels
import Testing

struct ShoppingViewModelTests {
    private let libraries: Libraries
    private let lists: Library<ShoppingList>
    private let list: RecordingView<ShoppingViewModel>
    private let milk = Shopping.Item(id: 1, text: "milk")
    private let tea = Shopping.Item(id: 2, text: "tea")

    init() {
        libraries = Libraries(clock: Timeline())
        lists = Library(libraries)
        list = RecordingView(
            ShoppingViewModel(at: .literal("shopping/home"), services: lists), settling: libraries)
        list.expect(.items(items: []), .undoable(canUndo: false))
        list.send(.add(text: "milk"))
        list.expect(
            .itemsEdited(edits: [.insert(at: 0, row: milk)]), .undoable(canUndo: true))
        list.send(.add(text: "tea"))
        list.expect(.itemsEdited(edits: [.insert(at: 1, row: tea)]))
    }

    @Test func `Each change is sent as one edit`() {
        list.send(.check(item: 1, isChecked: true))
        let checked = Shopping.Item(id: 1, text: "milk", isChecked: true)
        list.expect(.itemsEdited(edits: [.update(at: 0, row: checked)]))
        list.send(.move(item: 1, to: 1))
        list.expect(.itemsEdited(edits: [.move(from: 0, to: 1)]))
        list.send(.remove(item: 2))
        list.expect(.itemsEdited(edits: [.delete(at: 0)]))
    }

    @Test func `Undo is sent as an edit, until nothing can be undone`() {
        list.send(.undo)
        list.expect(.itemsEdited(edits: [.delete(at: 1)]))
        list.send(.undo)
        list.expect(.itemsEdited(edits: [.delete(at: 0)]), .undoable(canUndo: false))
        list.send(.undo)
    }

    @Test func `An item that is too long is refused`() {
        list.send(.add(text: String(repeating: "x", count: Shopping.itemText.most + 1)))
        list.expect(refusal: .badEvent("an item has at most 200 bytes", limit: Shopping.itemText))
    }

    @Test func `Nothing is shown until the log has the action`() {
        list.model.handle(event: .remove(item: 1))
        list.expectNothing()
        libraries.settle()
        list.expect(.itemsEdited(edits: [.delete(at: 0)]))
    }

    @Test func `A second view model shows the same list`() {
        let other = RecordingView(
            ShoppingViewModel(at: .literal("shopping/home"), services: lists), settling: libraries)
        other.expect(.items(items: [milk, tea]), .undoable(canUndo: true))
        other.send(.remove(item: 1))
        other.expect(.itemsEdited(edits: [.delete(at: 0)]))
        list.expect(.itemsEdited(edits: [.delete(at: 0)]))
    }
}
