import BusdProtocol

/// Which columns are the sides, as the user says it: `front=1,back=3+4`, or with names of columns.
public struct ColumnRequest: Equatable {
    /// A number, from 1, or a name.
    let front: [String]
    let back: [String]

    /// A request that does not fit the file.
    public enum Problem: Error, Equatable {
        /// `columns`: the names that the file has, or else the number of its columns.
        case unknown(String, columns: [String])
        case unknownNumber(String, count: Int)
    }

    /// Nil if the text has another form.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)[...]
        for (first, second) in [("front=", ",back="), ("back=", ",front=")] {
            guard bytes.starts(with: first.utf8),
                let range = bytes.lastRange(of: Array(second.utf8))
            else { continue }
            let one = bytes[..<range.lowerBound].dropFirst(first.utf8.count)
            let sides = [one, bytes[range.upperBound...]].map { side in
                side.split(separator: UInt8(ascii: "+")).map { String(decoding: $0, as: UTF8.self) }
            }
            guard sides.allSatisfy({ !$0.isEmpty }) else { return nil }
            (front, back) = first == "front=" ? (sides[0], sides[1]) : (sides[1], sides[0])
            return
        }
        return nil
    }

    public init(front: [String], back: [String]) { (self.front, self.back) = (front, back) }

    /// Whether a column is named by a text that is no number.
    var hasNames: Bool {
        (front + back).contains { Int($0) == nil }  // fits: else it is nil
    }

    /// The columns, from 0.
    func sides(
        names: [String], count: Int
    ) throws(Problem) -> (front: [Int], back: [Int]) {
        func places(_ items: [String]) throws(Problem) -> [Int] {
            var places: [Int] = []
            for item in items { places.append(try place(of: item, names, count)) }
            return places
        }
        return (try places(front), try places(back))
    }

    private func place(of item: String, _ names: [String], _ count: Int) throws(Problem) -> Int {
        if let place = Self.place(of: item, names) { return place }
        guard let number = Int(item) else {  // fits: else it is nil
            throw .unknown(item, columns: names)
        }
        guard 1...max(1, count) ~= number else { throw .unknownNumber(item, count: count) }
        return number - 1
    }

    private static func place(of item: String, _ names: [String]) -> Int? {
        names.firstIndex { $0.isExactly(item) }
            ?? names.firstIndex {
                $0.lowercased().isExactly(item.lowercased())  // text: linear
            }
    }
}

extension ColumnRequest.Problem {
    /// Continues the name of the file.
    public var text: String {
        switch self {
        case .unknown(let name, let columns) where columns.isEmpty:
            "has no names of columns: use a number instead of '\(name)'"
        case .unknown(let name, let columns):
            "has no column '\(name)': its columns are "
                + columns.prefix(20).map(\.shortened).joined(separator: ", ")
        case .unknownNumber(let number, let count):
            "has no column \(number): it has \(count == 1 ? "1 column" : "\(count) columns")"
        }
    }
}
