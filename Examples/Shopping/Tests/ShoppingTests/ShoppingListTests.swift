import BusdProtocol
import Foundation
import Shopping
import ShoppingViewModels
import Testing

/// The rules of a thing need neither a library nor a view model to be tested.
struct ShoppingListTests {
    private let milk = Shopping.Item(id: 1, text: "milk")
    private let tea = Shopping.Item(id: 2, text: "tea")
    private let jam = Shopping.Item(id: 3, text: "jam")
    private let shopping: [ShoppingList.Action] = [
        .added(text: "milk"), .added(text: "tea"), .added(text: "jam"),
    ]

    @Test func `Items are added at the end`() {
        let (list, effects) = list(after: shopping)
        #expect(effects == [true, true, true])
        #expect(list.items == [milk, tea, jam])
    }

    @Test(
        arguments: [
            .added(text: ""), .checked(item: 4, isChecked: true),
            .checked(item: 1, isChecked: false),
            .moved(item: 4, to: 0), .moved(item: 1, to: 0), .moved(item: 1, to: 3),
            .moved(item: 1, to: -1), .removed(item: 0),
        ] as [ShoppingList.Action])
    func `An action that changes nothing has no effect`(action: ShoppingList.Action) {
        var (list, _) = list(after: shopping)
        let before = list
        let hadEffect = list.apply(action, at: Instant(microseconds: 0))
        #expect(!hadEffect)
        #expect(list == before)
    }

    @Test(
        arguments: [
            .added(text: "oil"), .checked(item: 2, isChecked: true), .moved(item: 1, to: 2),
            .moved(item: 3, to: 0), .removed(item: 1), .removed(item: 3),
        ] as [ShoppingList.Action])
    func `Undo takes back each kind of change`(action: ShoppingList.Action) {
        let (list, effects) = list(after: shopping + [action, .undone])
        #expect(effects == [true, true, true, true, true])
        #expect(list.items == [milk, tea, jam])
    }

    @Test func `The id of an item is never used again`() {
        let (list, _) = list(after: [.added(text: "milk"), .undone, .added(text: "tea")])
        #expect(list.items == [tea])
    }

    @Test func `Only the newest changes can be taken back`() {
        let most = ShoppingList.mostUndos
        let adding = (0...most).map { ShoppingList.Action.added(text: "\($0)") }
        let undoing = Array(repeating: ShoppingList.Action.undone, count: most + 1)
        let (list, effects) = list(after: adding + undoing)
        #expect(effects == Array(repeating: true, count: 2 * most + 1) + [false])
        #expect(list.items.map(\.text) == ["0"])
        #expect(!list.canUndo)
    }

    /// Every later version reads an action in a log, and gives it the same effect.
    @Test(arguments: [
        (#"{"added":{"text":"oil"}}"#, "milk,tea x,oil"),
        (#"{"checked":{"item":1,"isChecked":true}}"#, "milk x,tea x"),
        (#"{"moved":{"item":2,"to":0}}"#, "tea x,milk"), (#"{"removed":{"item":1}}"#, "tea x"),
        (#"{"undone":{}}"#, "milk,tea"),
    ])
    func `An action of an older version has the same effect`(line: String, items: String) throws {
        let action = try JSONDecoder().decode(ShoppingList.Action.self, from: Data(line.utf8))
        var (list, _) = list(after: shopping.prefix(2) + [.checked(item: 2, isChecked: true)])
        let hadEffect = list.apply(action, at: Instant(microseconds: 0))
        #expect(hadEffect)
        #expect(
            list.items.map { $0.text + ($0.isChecked ? " x" : "") }.joined(separator: ",") == items)
    }

    /// A list after some actions, and which of them had an effect.
    private func list(
        after actions: [ShoppingList.Action]
    ) -> (list: ShoppingList, effects: [Bool]) {
        var list = ShoppingList()
        let effects = actions.map { list.apply($0, at: Instant(microseconds: 0)) }
        return (list, effects)
    }
}
