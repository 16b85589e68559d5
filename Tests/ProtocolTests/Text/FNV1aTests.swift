import BusdProtocol
import Testing

struct FNV1aTests {
    /// From the page of the authors of FNV.
    @Test func `A text has the published hash`() {
        #expect(hexadecimal(FNV1a([]).value) == "cbf29ce484222325")
        #expect(hexadecimal(FNV1a("a".utf8).value) == "af63dc4c8601ec8c")
        #expect(hexadecimal(FNV1a("foobar".utf8).value) == "85944171f73967e8")
    }

    @Test func `Bytes that are added one by one have the hash of the text`() {
        var hash = FNV1a()
        for byte in "foobar".utf8 { hash.add(byte) }
        #expect(hash.value == FNV1a("foobar".utf8).value)
    }

    @Test func `A small number has leading zeros`() {
        #expect(hexadecimal(0x2A) == "000000000000002a")
    }
}
