/// A limit of a kind: `describe` shows it, and a refusal names it.
///
///     public static let items = Limit("items", most: 200)
///     public static let limits = [items]
public struct Limit: Equatable, Sendable {
    /// In the words of a client, such as `itemText` for the bytes of the text of an item.
    public let name: String
    /// The largest number that is allowed.
    public let most: Int

    /// - Parameters:
    ///   - name: letters and digits, as events are named.
    ///   - most: the largest number of things, or of bytes, that is allowed.
    public init(_ name: String, most: Int) { (self.name, self.most) = (name, most) }
}
