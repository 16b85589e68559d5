/// The mark `"more":true,` in the line of an event that is not the last of its update.
struct More {
    static let mark: StaticString = #""more":true,"#

    /// Its offset in the line. Before it are only the address and the `seq`, so 16 bits suffice.
    private let offset: UInt16

    init(at offset: Int) { self.offset = UInt16(clamping: offset) }

    func removed(from line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let place = Int(truncatingIfNeeded: offset)
        return line.prefix(place) + line.dropFirst(place + Self.mark.utf8CodeUnitCount)
    }
}
