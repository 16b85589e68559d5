import Fuzzing
import TestSupport
import Testing

/// Replays the inputs that the fuzzers have found and begin with. Also plays random changes of
/// these inputs, without the fuzzers' search for new paths.
@Suite struct CorpusTests {
    @Test(arguments: FuzzTarget.allCases)
    func `The fuzzers' corpus is played without a finding`(target: FuzzTarget) throws {
        let inputs = try corpus(of: target)
        #expect(inputs.count >= 10)
        for input in inputs { target.run(input) }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `Random changes of the fuzzers' corpus cause no finding`(target: FuzzTarget) throws {
        var random = SeededGenerator(seed: 1)
        let inputs = try corpus(of: target)
        for _ in 0..<2_000 {
            var input = inputs.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&input, &random) }
            target.run(input)
        }
    }

    private func mutate(_ input: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0...input.count, using: &random)
        let byte = UInt8.random(in: 0...255, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: input.insert(byte, at: place)
        case 1: if place < input.count { input.remove(at: place) }
        case 2: if place < input.count { input[place] = byte }
        default: input += input[place...].prefix(200)
        }
    }

    private func corpus(of target: FuzzTarget) throws -> [[UInt8]] {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        let path = parts.joined(separator: "/") + "/Fuzzing/Corpus/\(target.rawValue)"
        let all = names(in: path)
        try #require(!all.isEmpty, "\(path) is not there")
        return try all.filter { !$0.hasPrefix(".") }.map { try bytes(of: "\(path)/\($0)") }
    }
}
