import BusdProtocol
import Testing

private enum Shape: String, Codable {
    case round
    case square
}

private struct Row: Codable, Equatable {
    var id: Int
    var name: String?
    var shape: Shape
    var tags: [String]
}

private enum Event: Codable, Equatable {
    case plain
    case row(row: Row)
    case rows(rows: [Row], title: String)
    case numbers(small: UInt8, large: UInt64, number: Double, single: Float, isOn: Bool)
    case nested(lists: [[Int]], edit: Edit<Row>?)
    case unlabelled(Int)
}

private func decode<T: Decodable>(_ json: String, as type: T.Type = T.self) throws -> T {
    let document = JSONDocument()
    try document.read(Array(json.utf8))
    return try #require(document.root).decode(T.self, at: "event")
}

/// The path at which a value is refused; `nil` if it is accepted.
private func path<T: Decodable>(_ json: String, as type: T.Type) -> String? {
    do {
        _ = try decode(json, as: type)
        return nil
    } catch let error as WireError where error.code == .badEvent {
        return error.path
    } catch {
        return "another error: \(error)"
    }
}

@Suite struct EventDecoderTests {
    @Test func `The decoder reads what the encoder writes`() throws {
        let row = Row(id: 1, name: nil, shape: .square, tags: ["a", ""])
        let events: [Event] = [
            .plain, .row(row: row),
            .rows(rows: [row, Row(id: 2, name: "é", shape: .round, tags: [])], title: ""),
            .numbers(small: 255, large: .max, number: -1.5e300, single: 0.25, isOn: true),
            .nested(lists: [[], [1, 2]], edit: .insert(at: 0, row: row)),
            .nested(lists: [], edit: nil), .unlabelled(-7),
        ]
        for event in events {
            var out = JSONWriter()
            try out.value(encoding: event)
            #expect(try decode(String(decoding: out.bytes, as: UTF8.self)) == event)
        }
    }

    @Test func `The decoder ignores unknown keys in a document of a daemon`() throws {
        let document = JSONDocument(isLenient: true)
        let row = #"{"id":1,"colour":"red","shape":"round","tags":[]}"#
        try document.read(Array(#"{"row":{"row":\#(row),"more":{"a":1}}}"#.utf8))
        let event = try #require(document.root).decode(Event.self, at: "event")
        #expect(event == .row(row: Row(id: 1, name: nil, shape: .round, tags: [])))
    }

    @Test func `The decoder reads keys in any order, and null for an optional value`() throws {
        let json = #"{"row":{"row":{"tags":[],"shape":"round","name":null,"id":1}}}"#
        let row = Row(id: 1, name: nil, shape: .round, tags: [])
        #expect(try decode(json) == Event.row(row: row))
        #expect(try decode(#"{"nested":{"lists":[]}}"#) == Event.nested(lists: [], edit: nil))
    }

    @Test(arguments: [
        // Not an event
        ("1", "event"), (#""plain""#, "event"), ("[]", "event"), ("{}", "event"), ("null", "event"),
        (#"{"plain":{},"row":{}}"#, "event"), (#"{"other":{}}"#, "event.other"),
        // The payload
        (#"{"plain":1}"#, "event.plain"), (#"{"plain":null}"#, "event.plain"),
        (#"{"plain":[]}"#, "event.plain"), (#"{"plain":{"x":1}}"#, "event.plain.x"),
        (#"{"row":{}}"#, "event.row.row"), (#"{"row":{"row":1}}"#, "event.row.row"),
        (#"{"row":{"row":{"id":1,"shape":"round","tags":[]},"more":1}}"#, "event.row.more"),
        (#"{"row":{"_0":1}}"#, "event.row._0"), (#"{"unlabelled":{}}"#, "event.unlabelled._0"),
        // Missing, unknown, and of a wrong type
        (#"{"row":{"row":{"shape":"round","tags":[]}}}"#, "event.row.row.id"),
        (#"{"row":{"row":{"id":1,"tags":[]}}}"#, "event.row.row.shape"),
        (#"{"row":{"row":{"id":1,"shape":"round"}}}"#, "event.row.row.tags"),
        (#"{"row":{"row":{"id":1,"shape":"round","tags":[],"Id":1}}}"#, "event.row.row.Id"),
        (#"{"row":{"row":{"id":null,"shape":"round","tags":[]}}}"#, "event.row.row.id"),
        (#"{"row":{"row":{"id":"1","shape":"round","tags":[]}}}"#, "event.row.row.id"),
        (#"{"row":{"row":{"id":1.0,"shape":"round","tags":[]}}}"#, "event.row.row.id"),
        (#"{"row":{"row":{"id":1e0,"shape":"round","tags":[]}}}"#, "event.row.row.id"),
        (
            #"{"row":{"row":{"id":9223372036854775808,"shape":"round","tags":[]}}}"#,
            "event.row.row.id"
        ),
        (#"{"row":{"row":{"id":1,"name":2,"shape":"round","tags":[]}}}"#, "event.row.row.name"),
        (#"{"row":{"row":{"id":1,"shape":"oval","tags":[]}}}"#, "event.row.row.shape"),
        (#"{"row":{"row":{"id":1,"shape":true,"tags":[]}}}"#, "event.row.row.shape"),
        (#"{"row":{"row":{"id":1,"shape":"round","tags":{}}}}"#, "event.row.row.tags"),
        (#"{"row":{"row":{"id":1,"shape":"round","tags":"a"}}}"#, "event.row.row.tags"),
        // Elements of lists
        (#"{"row":{"row":{"id":1,"shape":"round","tags":["a",2]}}}"#, "event.row.row.tags.1"),
        (
            #"{"row":{"row":{"id":1,"shape":"round","tags":["a","b",null]}}}"#,
            "event.row.row.tags.2"
        ),
        (
            #"{"rows":{"rows":[{"id":1,"shape":"round","tags":[]},{"id":2}],"title":""}}"#,
            "event.rows.rows.1.shape"
        ),
        (#"{"rows":{"rows":[1],"title":""}}"#, "event.rows.rows.0"),
        (#"{"rows":{"rows":[],"title":[]}}"#, "event.rows.title"),
        (#"{"nested":{"lists":[[1],[2,"x"]]}}"#, "event.nested.lists.1.1"),
        (#"{"nested":{"lists":[[1],2]}}"#, "event.nested.lists.1"),
        (#"{"nested":{"lists":[],"edit":{"delete":{}}}}"#, "event.nested.edit.delete.at"),
        (#"{"nested":{"lists":[],"edit":{"drop":{}}}}"#, "event.nested.edit.drop"),
        (#"{"nested":{"lists":[],"edit":{}}}"#, "event.nested.edit"),
    ])
    func `An error names the path of the wrong value`(json: String, place: String) {
        #expect(path(json, as: Event.self) == place)
    }

    @Test(arguments: [
        ("small", "256"), ("small", "-1"), ("small", "1.5"), ("small", "true"),
        ("large", "18446744073709551616"), ("large", "-1"), ("number", "1e400"),
        ("number", "\"1\""),
        ("number", "null"), ("single", "1e39"), ("single", "-1e39"), ("isOn", "1"),
        ("isOn", "\"true\""),
        ("isOn", "null"),
    ])
    func `Numbers are not rounded, and refused if out of range`(key: String, value: String) {
        var values = ["small": "1", "large": "1", "number": "1", "single": "1", "isOn": "true"]
        let members = { values.map { #""\#($0)":\#($1)"# }.joined(separator: ",") }
        #expect(path(#"{"numbers":{\#(members())}}"#, as: Event.self) == nil)
        values[key] = value
        #expect(path(#"{"numbers":{\#(members())}}"#, as: Event.self) == "event.numbers.\(key)")
    }

    @Test func `An Int is at most 2^53 - 1 in size, an Int64 may be larger`() throws {
        let largest = 9_007_199_254_740_991
        for integer in [largest, -largest] {
            #expect(try decode(#"{"unlabelled":{"_0":\#(integer)}}"#) == Event.unlabelled(integer))
        }
        for integer in [Int64(largest) + 1, .max, .min] {
            let place = "event.unlabelled._0"
            #expect(path(#"{"unlabelled":{"_0":\#(integer)}}"#, as: Event.self) == place)
            #expect(try decode("[\(integer)]", as: [Int64].self) == [integer])
        }
    }

    @Test(arguments: [
        ("{}", "missing key"), (#"{"id":"x"}"#, "expected an integer in range"),
        (#"{"x":1}"#, "unknown key"), (#"{"id":1,"shape":1}"#, "expected a text"),
        (#"{"id":1,"shape":"round","tags":1}"#, "expected a list"),
        ("1", "expected an object"),
    ])
    func `An error says what is wrong`(json: String, message: String) {
        #expect { try decode(json, as: Row.self) } throws: {
            ($0 as? WireError)?.message == message
        }
    }

    @Test func `A type may read its containers by itself`() throws {
        #expect(try decode("[1,[2],{\"a\":3},null,4]", as: Picker.self).found == [1, 2, 3, -1, 4])
        #expect(path("[1]", as: Picker.self) == "event.1")
        #expect(path("[1,[2],{\"b\":3}]", as: Picker.self) == "event.2.b")
        #expect(try decode("{\"a\":1}", as: [String: Int].self) == ["a": 1])
        #expect(try decode("{\"a\":{\"a\":[5]}}", as: Sub.self).value == 5)
        #expect(try decode("null", as: Int?.self) == nil)
        #expect(try decode("[null,1]", as: [Int?].self) == [nil, 1])
    }

    @Test func `Any error of a type is reported with its path`() {
        struct Odd: Decodable {
            init(from decoder: any Decoder) throws { throw CancellationError() }
        }
        #expect(path("1", as: Odd.self) == "event")
    }
}

private enum Key: String, CodingKey {
    case a
}

/// Reads a list step by step.
private struct Picker: Decodable {
    var found: [Int] = []

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        found.append(try list.decode(Int.self))
        var inner = try list.nestedUnkeyedContainer()
        found.append(try inner.decode(Int.self))
        found.append(try list.nestedContainer(keyedBy: Key.self).decode(Int.self, forKey: .a))
        found.append(try list.decodeNil() ? -1 : 0)
        #expect(try list.decodeNil() == false)
        found.append(try list.superDecoder().singleValueContainer().decode(Int.self))
        #expect(list.isAtEnd)
        #expect(list.currentIndex == list.count)
    }
}

/// Reads through nested containers and decoders.
private struct Sub: Decodable {
    let value: Int

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        #expect(object.allKeys == [.a])
        #expect(try object.superDecoder().container(keyedBy: Key.self).contains(.a))
        let inner = try object.nestedContainer(keyedBy: Key.self, forKey: .a)
        var list = try inner.nestedUnkeyedContainer(forKey: .a)
        value = try list.decode(Int.self)
        let again = try object.superDecoder(forKey: .a).container(keyedBy: Key.self)
        #expect(try again.decode([Int].self, forKey: .a) == [value])
    }
}
