import BusdProtocol

/// A line in the words form becomes one line of JSON with no other keys than its own, or is
/// refused.
func fuzzWords(_ bytes: [UInt8]) {
    guard !bytes.contains(UInt8(ascii: "\n")),
        let line = String(validating: bytes, as: UTF8.self),
        let json = try? Words.json(bytes)
    else { return }
    require(!json.contains(UInt8(ascii: "\n")), "a line has become two")
    let document = JSONDocument()
    // The request around a payload adds to its size.
    var limits = Limits()
    limits.depth += 2
    limits.values += 8
    limits.line *= 8
    require((try? document.read(json, limits: limits)) != nil, "words have become no JSON")
    guard let root = document.root, root.kind == .object else {
        return require(false, "words have become no object")
    }
    let keys = root.members.compactMap(\.key.text)
    require(keys.first == "op", "words have become an object without op")
    let known: Set = ["op", "to", "as", "event"]
    require(known.isSuperset(of: keys), "words have become other keys: \(keys)")
    require(Set(keys).count == keys.count, "words have become a key twice")
    require(
        root["op"]?.text.map { line.utf8.starts(with: $0.utf8) } ?? false,
        "words have become another operation")
}
