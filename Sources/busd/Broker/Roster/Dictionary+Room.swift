extension Dictionary {
    /// A dictionary keeps its room when something is taken out: it gives back what is far too much.
    mutating func giveBackRoom() {
        if capacity > 4 * count + 16 { self = filter { _ in true } }
    }
}
