import BusdProtocol
import Testing

/// A value that a closure encodes.
private struct Custom: Encodable {
    let body: (any Encoder) throws -> Void

    init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

    func encode(to encoder: any Encoder) throws { try body(encoder) }
}

private enum Key: String, CodingKey {
    case a
    case b
    case c
}

@Suite struct EventEncoderTests {
    func json(_ value: some Encodable) throws -> String {
        var out = JSONWriter()
        try out.value(encoding: value)
        return String(decoding: out.bytes, as: UTF8.self)
    }

    @Test func `An enum has the form that Swift synthesises, keys in declaration order`() throws {
        enum Event: Encodable {
            case plain
            case full(zebra: Int, apple: String, mango: Bool, half: Double, list: [Int])
            case unlabelled(Int)
        }
        #expect(try json(Event.plain) == #"{"plain":{}}"#)
        let full = Event.full(zebra: 3, apple: "3 - 2", mango: true, half: 0.5, list: [1, 2])
        #expect(
            try json(full)
                == #"{"full":{"zebra":3,"apple":"3 - 2","mango":true,"half":0.5,"list":[1,2]}}"#)
        #expect(try json(Event.unlabelled(7)) == #"{"unlabelled":{"_0":7}}"#)
    }

    @Test func `A missing optional is left out of an object and null elsewhere`() throws {
        struct Row: Encodable {
            var a: Int?
            var b: String?
            var c: [Int?]
        }
        #expect(try json(Row(a: nil, b: "x", c: [1, nil])) == #"{"b":"x","c":[1,null]}"#)
        #expect(try json(Row(a: 1, b: nil, c: [])) == #"{"a":1,"c":[]}"#)
        #expect(try json(Int?.none) == "null")
        #expect(try json([String?]([nil])) == "[null]")
    }

    @Test func `Nested types and every type of number are written`() throws {
        struct Inner: Encodable {
            var x: Int8 = -128
            var y: UInt64 = .max
            var z: Float = 1.5
        }
        struct Empty: Encodable {}
        struct Outer: Encodable {
            var inner = [Inner(), Inner(x: 1, y: 0, z: 0)]
            var empty = Empty()
            var lists: [[Int]] = [[], [1]]
            var text = "a/b"
        }
        let expected =
            #"{"inner":[{"x":-128,"y":18446744073709551615,"z":1.5},{"x":1,"y":0,"z":0.0}],"#
            + #""empty":{},"lists":[[],[1]],"text":"a/b"}"#
        #expect(try json(Outer()) == expected)
        #expect(try json(Empty()) == "{}")
        #expect(try json([Empty(), Empty()]) == "[{},{}]")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `A number that JSON cannot represent is refused, and the writer is unchanged`(
        number: Double
    ) throws {
        var out = JSONWriter()
        out.beginList()
        out.value(1)
        #expect(throws: EncodingError.self) { try out.value(encoding: ["a": [0, number]]) }
        #expect(throws: EncodingError.self) { try out.value(encoding: Float(number)) }
        try out.value(encoding: ["a": 2.5])
        out.endList()
        #expect(String(decoding: out.bytes, as: UTF8.self) == #"[1,{"a":2.5}]"#)
    }

    @Test func `An error of a value is passed on, and the writer is unchanged`() throws {
        struct Refusal: Error {}
        var out = JSONWriter()
        #expect(throws: Refusal.self) {
            try out.value(
                encoding: Custom { encoder in
                    var list = encoder.unkeyedContainer()
                    try list.encode(1)
                    throw Refusal()
                })
        }
        #expect(out.bytes == [])
        out.value(1)
        #expect(out.bytes == Array("1".utf8))
    }

    @Test func `Containers inside containers are written`() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            var inner = object.nestedContainer(keyedBy: Key.self, forKey: .a)
            try inner.encode(1, forKey: .b)
            try inner.encodeNil(forKey: .c)
            var list = object.nestedUnkeyedContainer(forKey: .b)
            try list.encode("x")
            try list.encodeNil()
            var row = list.nestedContainer(keyedBy: Key.self)
            try row.encode(true, forKey: .a)
            var rest = list.nestedUnkeyedContainer()
            try rest.encode(contentsOf: [1, 2])
            #expect(list.count == 4)
            try object.encode("last", forKey: .c)
        }
        #expect(
            try json(value)
                == #"{"a":{"b":1,"c":null},"b":["x",null,{"a":true},[1,2]],"c":"last"}"#)
    }

    @Test func `The value of a superclass is written under super, or under a key`() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(1, forKey: .a)
            var above = object.superEncoder().container(keyedBy: Key.self)
            try above.encode(2, forKey: .b)
            var keyed = object.superEncoder(forKey: .c).unkeyedContainer()
            var element = keyed.superEncoder().singleValueContainer()
            try element.encode(3)
        }
        #expect(try json(value) == #"{"a":1,"super":{"b":2},"c":[3]}"#)
        #expect(
            try json(
                Custom {
                    var one = $0.singleValueContainer(); try one.encodeNil()
                }) == "null")
    }

    /// Code that no compiler synthesises. None of it may produce a line that is not JSON.
    private static let misuses: [@Sendable (any Encoder) throws -> Void] = [
        { encoder in  // A container that its parent's next value has closed
            var outer = encoder.container(keyedBy: Key.self)
            var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .a)
            try outer.encode(1, forKey: .b)
            try inner.encode(2, forKey: .c)
        },
        { encoder in  // The same, with a new container at its depth
            var outer = encoder.unkeyedContainer()
            var first = outer.nestedContainer(keyedBy: Key.self)
            var second = outer.nestedContainer(keyedBy: Key.self)
            try second.encode(1, forKey: .a)
            try first.encode(2, forKey: .b)
        },
        { encoder in  // A nested container of a closed container
            var outer = encoder.unkeyedContainer()
            var first = outer.nestedContainer(keyedBy: Key.self)
            try outer.encode(1)
            var nested = first.nestedUnkeyedContainer(forKey: .a)
            try nested.encode(2)
        },
        { encoder in  // Two containers for one value
            var first = encoder.container(keyedBy: Key.self)
            try first.encode(1, forKey: .a)
            var second = encoder.container(keyedBy: Key.self)
            try second.encode(2, forKey: .b)
        },
        { encoder in  // Two scalars for one value
            var one = encoder.singleValueContainer()
            try one.encode(1)
            try one.encode(2)
        },
        { encoder in  // A scalar after an object
            _ = encoder.container(keyedBy: Key.self)
            var one = encoder.singleValueContainer()
            try one.encodeNil()
        },
        { encoder in  // A key without a value
            var outer = encoder.container(keyedBy: Key.self)
            _ = outer.superEncoder(forKey: .a)
        },
        { encoder in  // A refused number whose error the code ignores
            var outer = encoder.container(keyedBy: Key.self)
            try? outer.encode(Double.nan, forKey: .a)
            try outer.encode(1, forKey: .b)
        },
        { encoder in  // A container that is used after its value is complete
            var outer = encoder.container(keyedBy: Key.self)
            var kept: KeyedEncodingContainer<Key>?
            let inner = Custom { encoder in
                kept = encoder.container(keyedBy: Key.self)
                try kept?.encode(1, forKey: .a)
            }
            try outer.encode(inner, forKey: .a)
            try kept?.encode(2, forKey: .b)
        },
    ]

    @Test(arguments: misuses.indices)
    func `Code that uses containers out of order is refused`(index: Int) {
        var out = JSONWriter()
        #expect(throws: EncodingError.self) {
            try out.value(encoding: Custom(Self.misuses[index]))
        }
        #expect(out.bytes == [])
    }
}
