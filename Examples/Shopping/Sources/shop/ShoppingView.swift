import BusdProtocol
import BusdTerminal
import Shopping

/// Prints the list after each change. Lines such as `check 2` become view events.
final class ShoppingView: View {
    let output = Output<Shopping.ViewEvent>()
    private var items: [Shopping.Item] = []
    private var canUndo = false

    func handle(event: Shopping.ViewModelEvent) {
        switch event {
        case .items(let items): self.items = items
        case .itemsEdited(let edits): _ = items.apply(edits)
        case .undoable(let canUndo): self.canUndo = canUndo
        }
    }

    /// Called after each complete update.
    func draw() {
        let count = items.count { !$0.isChecked }
        PlainOutput.standard.line("\(count) to buy" + (canUndo ? "" : ", nothing to undo"))
        for (place, item) in items.enumerated() {
            PlainOutput.standard.line("\(place + 1) [\(item.isChecked ? "x" : " ")] \(item.text)")
        }
    }

    /// Places count from 1, as they are printed. A line that is no command does nothing.
    func typed(_ line: Substring) {
        let words = line.split(separator: " ", maxSplits: 1)
        let rest = words.count == 2 ? words[1] : ""
        switch words.first {
        case "add": output.send(.add(text: String(rest)))
        case "check": if let item = item(rest) { output.send(.check(item: item, isChecked: true)) }
        case "uncheck":
            if let item = item(rest) { output.send(.check(item: item, isChecked: false)) }
        case "move":
            let places = rest.split(separator: " ")
            if places.count == 2, let item = item(places[0]), let to = Int(places[1]), to > 0 {
                output.send(.move(item: item, to: to - 1))
            }
        case "remove": if let item = item(rest) { output.send(.remove(item: item)) }
        case "undo": output.send(.undo)
        default: break
        }
    }

    /// The id of the item at a place of the printed list.
    private func item(_ place: Substring) -> Int? {
        guard let place = Int(place), 1...items.count ~= place else { return nil }
        return items[place - 1].id
    }
}
