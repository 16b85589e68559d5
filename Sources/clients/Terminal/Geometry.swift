/// A number of columns and rows.
public struct Size: Hashable, Sendable {
    public var columns: Int
    public var rows: Int

    /// Negative numbers count as 0.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    public func holds(_ other: Size) -> Bool {
        columns >= other.columns && rows >= other.rows
    }
}

/// The place of a cell, counted from 0 at the top left.
public struct Point: Hashable, Sendable {
    public var column: Int
    public var row: Int

    public init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A rectangle of cells.
public struct Area: Hashable, Sendable {
    public var column: Int
    public var row: Int
    public var size: Size

    public init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        size = Size(columns: columns, rows: rows)
    }

    /// An area of this size, at the top left.
    public init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    public var columns: Int { size.columns }
    public var rows: Int { size.rows }
    /// One past the last column, and one past the last row.
    public var endColumn: Int { column + columns }
    public var endRow: Int { row + rows }

    public func contains(_ point: Point) -> Bool {
        point.column >= column && point.column < endColumn && point.row >= row
            && point.row < endRow
    }

    /// The first `count` rows, or all if there are fewer, and the rest below.
    public func split(rows count: Int) -> (top: Area, bottom: Area) {
        let count = min(max(0, count), rows)
        return (
            Area(column: column, row: row, columns: columns, rows: count),
            Area(column: column, row: row + count, columns: columns, rows: rows - count)
        )
    }

    /// The first `count` columns, or all if there are fewer, and the rest to the right.
    public func split(columns count: Int) -> (left: Area, right: Area) {
        let count = min(max(0, count), columns)
        return (
            Area(column: column, row: row, columns: count, rows: rows),
            Area(column: column + count, row: row, columns: columns - count, rows: rows)
        )
    }

    /// An area that is smaller by this number of columns on the left and right, and of rows at the
    /// top and bottom.
    public func inset(columns across: Int = 0, rows down: Int = 0) -> Area {
        Area(
            column: column + across, row: row + down, columns: columns - 2 * across,
            rows: rows - 2 * down)
    }

    /// An area of this size in the middle. If it cannot be exactly in the middle, it is nearer to
    /// the left or to the top.
    public func centered(_ inner: Size) -> Area {
        Area(
            column: column + max(0, columns - inner.columns) / 2,
            row: row + max(0, rows - inner.rows) / 2, columns: min(inner.columns, columns),
            rows: min(inner.rows, rows))
    }
}
