/// The result of parsing a command line.
package enum Invocation: Equatable {
    case run(Arguments)
    /// The help, the man page or the version, to be written to standard output. The program does
    /// nothing else.
    case show(String)
}

extension Program {
    /// - Parameter words: the command line without the program's name.
    package func parse(_ words: some Sequence<String>) throws(UsageError) -> Invocation {
        if let text = try completions(Array(words)) { return .show(text) }
        let shared = options + [.help, .version, .manual]
        let scan = Scan(command: name, options: ownOptions + shared)
        if verbs.isEmpty { return try invocation(try scan.run(Array(words)), verb: nil) }

        let before = try scan.run(Array(words), stopsAtOperand: true)
        guard let word = before.operands.first, !before.has(.help), !before.has(.version),
            !before.has(.manual)
        else {
            return try invocation(before, verb: nil)
        }
        guard let verb = verbs.first(where: { $0.name == word }) else {
            if !operands.isEmpty { return try invocation(try scan.run(Array(words)), verb: nil) }
            throw UsageError(command: name, message: "unknown verb \(quoted(word))")
        }
        let own = Scan(command: command(verb), options: verb.options + shared)
        let after = try own.run(Array(before.operands.dropFirst()))
        return try invocation(
            Arguments(
                command: own.command, verb: verb.name,
                given: try own.taking(before.given) + after.given, operands: after.operands),
            verb: verb)
    }

    /// The answer to the scripts of shells; or such a script, for `--completion SHELL`.
    private func completions(_ words: [String]) throws(UsageError) -> String? {
        switch words.first {
        case "--complete":
            let typed = Array(words.dropFirst())
            return completion(of: typed).lines(startingWith: typed.last ?? "")
        case "--completion":
            if words.count == 2, let script = completionScript(for: words[1]) { return script }
            throw UsageError(command: name, message: "--completion needs bash, zsh or fish")
        default: return nil
        }
    }

    private func invocation(_ arguments: Arguments, verb: Verb?) throws(UsageError) -> Invocation {
        if arguments.has(.help) { return .show(verb.map(help(for:)) ?? help) }
        if arguments.has(.manual) { return .show(manualPage) }
        if arguments.has(.version) { return .show("\(name) \(version)\n") }
        if verb == nil, !verbs.isEmpty, isVerbRequired {
            throw arguments.error("missing verb")
        }
        try arguments.check(against: verb?.operands ?? operands)
        return .run(arguments)
    }
}

extension Scan {
    /// Options that were given before the verb, as options of the verb.
    fileprivate func taking(_ given: [Arguments.Given]) throws(UsageError) -> [Arguments.Given] {
        try given.map { one throws(UsageError) in
            guard let own = options.first(where: { $0.name == one.option.name }) else {
                throw UsageError(
                    command: command, message: "unknown option " + quoted("--" + one.option.name))
            }
            return Arguments.Given(option: own, argument: one.argument)
        }
    }
}
