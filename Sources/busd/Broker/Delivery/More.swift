/// The mark of an event that is not the last of its update.
enum More {
    static let json: StaticString = #""more":true,"#

    /// - Parameter place: offset of the mark in the line.
    static func removed(from line: ArraySlice<UInt8>, at place: Int) -> [UInt8] {
        Array(line.prefix(place) + line.dropFirst(place + json.utf8CodeUnitCount))
    }
}
