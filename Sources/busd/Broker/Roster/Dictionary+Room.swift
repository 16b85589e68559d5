extension Dictionary {
    /// Frees memory if the capacity is far above the count. Removing elements alone frees none.
    mutating func giveBackRoom() {
        if capacity > 4 * count + 16 { self = filter { _ in true } }
    }
}
