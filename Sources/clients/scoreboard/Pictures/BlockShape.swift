extension BlockDigits {
    /// Which dots of a character are lit.
    struct Shape {
        private let size: BlockDigits
        private let outline: Outline

        private enum Outline {
            case strokes(Strokes)
            case one
            case colon
            case dot
            case nothing
        }

        init(of character: Character, _ size: BlockDigits) {
            self.size = size
            outline =
                switch character {
                case ":": .colon
                case ".": .dot
                case "1": .one
                default: Strokes.of(character).map { .strokes($0) } ?? .nothing
                }
        }

        func isLit(_ x: Int, _ y: Int) -> Bool {
            switch outline {
            case .strokes(let strokes): isLit(x, y, strokes)
            case .one: isOne(x, y)
            case .colon: isColon(y)
            case .dot: y >= size.height - size.stroke
            case .nothing: false
            }
        }

        /// Two dots, each in the middle of its half.
        private func isColon(_ y: Int) -> Bool {
            let distance = (size.height / 2 - size.stroke) / 2
            let fromEnd = min(y, size.height - 1 - y)
            return (distance..<distance + size.stroke).contains(fromEnd)
        }

        /// A stem in the middle, with a flag and a foot.
        private func isOne(_ x: Int, _ y: Int) -> Bool {
            let stem = (size.width - size.stroke) / 2
            if (stem..<stem + size.stroke).contains(x) { return true }
            if y < size.stroke { return x < stem && x >= stem - size.stroke }
            guard y >= size.height - size.stroke else { return false }
            return (stem - size.stroke..<stem + 2 * size.stroke).contains(x)
        }

        // MARK: Strokes

        private var middle: Int { (size.height - size.stroke) / 2 }

        private func isLit(_ x: Int, _ y: Int, _ strokes: Strokes) -> Bool {
            let stroke = size.stroke
            let isLeft = x < stroke
            let isRight = x >= size.width - stroke
            let isUpper = y < middle + stroke
            let isLower = y >= middle
            let isCovered =
                strokes.contains(.top) && y < stroke
                || strokes.contains(.middle) && isUpper && isLower
                || strokes.contains(.bottom) && y >= size.height - stroke
                || strokes.contains(.upperLeft) && isUpper && isLeft
                || strokes.contains(.upperRight) && isUpper && isRight
                || strokes.contains(.lowerLeft) && isLower && isLeft
                || strokes.contains(.lowerRight) && isLower && isRight
            return isCovered && !isOutsideOfTurn(x, y, strokes)
        }

        /// At a corner of a horizontal and a vertical stroke, the outside is rounded.
        private func isOutsideOfTurn(_ x: Int, _ y: Int, _ strokes: Strokes) -> Bool {
            let isLeft = x < size.width / 2
            let across = isLeft ? x : size.width - 1 - x
            let upper: Strokes = isLeft ? .upperLeft : .upperRight
            let lower: Strokes = isLeft ? .lowerLeft : .lowerRight
            let hasUpper = strokes.contains(upper)
            let hasLower = strokes.contains(lower)
            if strokes.contains(.top), hasUpper, isCut(across, y) { return true }
            if strokes.contains(.bottom), hasLower, isCut(across, size.height - 1 - y) {
                return true
            }
            guard strokes.contains(.middle), hasUpper != hasLower else { return false }
            return isCut(across, hasUpper ? middle + size.stroke - 1 - y : y - middle)
        }

        /// Whether a dot is outside the quarter circle of a corner. `x` and `y` are its distances
        /// from the edges.
        private func isCut(_ x: Int, _ y: Int) -> Bool {
            let radius = size.stroke
            guard radius > 1, 0..<radius ~= x, 0..<radius ~= y else { return false }
            // Twice the distances between the centres of dot and circle.
            let (dx, dy) = (2 * (radius - x) - 1, 2 * (radius - y) - 1)
            return dx * dx + dy * dy > 4 * radius * radius
        }
    }

    struct Strokes: OptionSet {
        let rawValue: Int

        static let top = Self(rawValue: 1)
        static let middle = Self(rawValue: 2)
        static let bottom = Self(rawValue: 4)
        static let upperLeft = Self(rawValue: 8)
        static let upperRight = Self(rawValue: 16)
        static let lowerLeft = Self(rawValue: 32)
        static let lowerRight = Self(rawValue: 64)
        static let right: Self = [.upperRight, .lowerRight]
        static let left: Self = [.upperLeft, .lowerLeft]

        static func of(_ digit: Character) -> Strokes? {
            switch digit {
            case "0": [.top, .bottom, left, right]
            case "2": [.top, .upperRight, .middle, .lowerLeft, .bottom]
            case "3": [.top, .middle, .bottom, right]
            case "4": [.upperLeft, .middle, right]
            case "5": [.top, .upperLeft, .middle, .lowerRight, .bottom]
            case "6": [.top, .middle, .bottom, left, .lowerRight]
            case "7": [.top, right]
            case "8": [.top, .middle, .bottom, left, right]
            case "9": [.top, .middle, .bottom, .upperLeft, right]
            default: nil
            }
        }
    }
}
