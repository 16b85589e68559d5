import CBusdSystem
import Glibc
import Synchronization

/// One run of getopt_long(3). Options may follow operands, `--` ends them, and a long name may be
/// shortened to a unique prefix.
struct Scan {
    let command: String
    let options: [Option]

    /// With `stopsAtOperand`, all words after the first operand are operands too.
    func run(_ words: [String], stopsAtOperand: Bool = false) throws(UsageError) -> Arguments {
        let argv = CStrings([command] + words)
        let names = CStrings(options.map(\.name))
        defer {
            argv.free()
            names.free()
        }
        let letters = (stopsAtOperand ? "+:" : ":") + options.map(\.getoptLetter).joined()
        return try Self.oneAtATime.withLock { _ throws(UsageError) in
            try run(argv, letters, longOptions(names))
        }
    }

    // getopt keeps its state in globals.
    private static let oneAtATime = Mutex(())

    private func run(
        _ argv: CStrings, _ letters: String, _ table: [CBusdSystem.option]
    ) throws(UsageError) -> Arguments {
        var given: [Arguments.Given] = []
        busd_getopt_reset()
        while true {
            let value = getopt_long(Int32(argv.count), argv.start, letters, table, nil)
            if value == -1 { break }
            guard let option = option(for: value) else {
                throw UsageError(command: command, message: errorMessage(value, argv))
            }
            let argument = busd_optarg().map { String(cString: $0) }
            given.append(Arguments.Given(option: option, argument: argument))
        }
        let operands = (Int(busd_optind())..<argv.count).map { argv[$0] }
        return Arguments(command: command, verb: nil, given: given, operands: operands)
    }

    // Long options have values above all characters. The value of a letter is the letter.
    private static let firstLong: Int32 = 256

    private func longOptions(_ names: CStrings) -> [CBusdSystem.option] {
        options.indices.map { index in
            CBusdSystem.option(
                name: names.start[index],
                has_arg: options[index].argument == nil ? no_argument : required_argument,
                flag: nil, val: Self.firstLong + Int32(index))
        } + [CBusdSystem.option()]
    }

    private func option(for value: Int32) -> Option? {
        let index = Int(value - Self.firstLong)
        if options.indices.contains(index) { return options[index] }
        return options.first { $0.letter?.asciiValue.map(Int32.init) == value }
    }

    /// The message for the option that getopt refused.
    private func errorMessage(_ value: Int32, _ argv: CStrings) -> String {
        let refused = busd_optopt()
        if let option = option(for: refused) {
            let name = refused < Self.firstLong ? "-\(option.letter ?? "?")" : "--" + option.name
            return value == Int32(UInt8(ascii: ":"))
                ? "\(name) needs an argument, \(option.argument ?? "")"
                : "\(name) takes no argument"
        }
        if let letter = UInt8(exactly: refused), letter != 0 {
            return "unknown option " + quoted("-\(UnicodeScalar(letter))")
        }
        // For a letter that is not ASCII, getopt returns its first byte, which is negative, and
        // `optind` still points to the word with the letter.
        let place = Int(busd_optind()) - (refused < 0 ? 0 : 1)
        let word = argv[place].prefix { $0 != "=" }
        let meant = options.map { "--" + $0.name }.filter { $0.hasPrefix(word) }
        return meant.isEmpty
            ? "unknown option " + quoted(String(word))
            : quoted(String(word)) + " is ambiguous: use " + meant.joined(separator: " or ")
    }
}

extension Option {
    fileprivate var getoptLetter: String {
        letter.map { String($0) + (argument == nil ? "" : ":") } ?? ""
    }
}
