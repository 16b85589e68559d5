import BusdProtocol

// The scripts of the shells ask the program itself, with `--complete` and the words of the command
// line, so the table behind `--help` is the only source.

/// What may come next on a command line.
package enum Completion: Equatable {
    case words([Candidate])
    /// An address of a view model.
    case addresses
    /// The name of an event for the view model at this address.
    case events(to: String)
    /// A value of the view model at this address.
    case values(of: String)
    case files
    case nothing

    package struct Candidate: Equatable {
        package let word: String
        package let help: String

        package init(_ word: String, _ help: String = "") { (self.word, self.help) = (word, help) }
    }

    /// What `--complete` prints: a candidate per line, and its help behind a tab.
    package func lines(startingWith word: String) -> String {
        switch self {
        case .words(let candidates):
            candidates.filter { $0.word.utf8.starts(with: word.utf8) }
                .map { $0.help.isEmpty ? "\($0.word)\n" : "\($0.word)\t\($0.help)\n" }.joined()
        case .files: "*files\n"
        case .addresses, .events, .values, .nothing: ""
        }
    }
}

extension Program {
    /// - Parameter words: those behind the program's name. The last one is being typed.
    package func completion(of words: [String]) -> Completion {
        let word = words.last ?? ""
        var verb: Verb?
        var options = ownOptions + self.options
        var given: [String] = []
        var pending: Option?
        for before in words.dropLast() {
            if pending != nil {
                pending = nil
            } else if before.utf8.first == UInt8(ascii: "-"), before.utf8.count > 1 {
                pending = options.first { $0.argument != nil && $0.isWritten(as: before) }
            } else if verb == nil, given.isEmpty,
                let found = verbs.first(where: { $0.name == before })
            {
                verb = found
                options = found.options + self.options
            } else if verb == nil, !verbs.isEmpty, operands.isEmpty {
                return .nothing
            } else {
                given.append(before)
            }
        }
        if let pending { return Self.completion(of: pending) }
        if word.utf8.first == UInt8(ascii: "-") {
            return .words(
                (options + [.help, .version]).map { .init("--" + $0.name, $0.help) })
        }
        guard verb != nil || verbs.isEmpty || !given.isEmpty else {
            return .words(verbs.map { .init($0.name, $0.summary) })
        }
        let operands = verb?.operands ?? operands
        let operand = given.count < operands.count ? operands[given.count] : operands.last
        guard let operand, given.count < operands.count || operand.count == .any else {
            return .nothing
        }
        return Self.completion(of: operand.name, behind: given.first)
    }

    private static func completion(of option: Option) -> Completion {
        guard option.choices.isEmpty else { return .words(option.choices.map { .init($0) }) }
        return completion(of: option.argument ?? "", behind: nil)
    }

    /// - Parameters:
    ///   - name: of an operand, or of the argument of an option.
    ///   - first: the first operand.
    private static func completion(of name: String, behind first: String?) -> Completion {
        switch name {
        case "EVENT": first.map { .events(to: $0) } ?? .nothing
        case "VALUE", "CONDITION": first.map { .values(of: $0) } ?? .nothing
        case "ADDRESS", "PATTERN", "ADDRESS-OR-KIND": .addresses
        case "PATH", "FILE", "FOLDER", "PROGRAM": .files
        default: .nothing
        }
    }

    /// The script for a shell; nil: the shell is not known.
    func completionScript(for shell: String) -> String? {
        let function = "_" + name.replacing("-", with: "_")
        return switch shell {
        case "bash":
            """
            # Completions of \(name) for bash. Print them with '\(name) --completion bash'.
            \(function)() {
                local line word
                COMPREPLY=()
                while IFS= read -r line; do
                    if [[ $line == '*files' ]]; then
                        compopt -o filenames 2>/dev/null
                        mapfile -t COMPREPLY < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
                        return
                    fi
                    printf -v word %q "${line%%$'\\t'*}"
                    COMPREPLY+=("$word")
                done < <(\(name) --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
            }
            complete -F \(function) \(name)

            """
        case "zsh":
            """
            #compdef \(name)
            # Completions of \(name) for zsh. Print them with '\(name) --completion zsh'.
            \(function)() {
                local -a lines
                lines=("${(@f)$(\(name) --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                if [[ $lines[1] == '*files' ]]; then
                    _files
                elif [[ -n $lines[1] ]]; then
                    lines=("${(@)lines//:/\\\\:}")
                    lines=("${(@)lines/$'\\t'/:}")
                    _describe \(name) lines
                fi
            }
            if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
                \(function) "$@"
            else
                compdef \(function) \(name)
            fi

            """
        case "fish":
            """
            # Completions of \(name) for fish. Print them with '\(name) --completion fish'.
            function _\(function)
                set -l words (commandline -opc)[2..] (commandline -ct)
                set -l lines (\(name) --complete $words 2>/dev/null)
                if test "$lines[1]" = '*files'
                    __fish_complete_path (commandline -ct)
                else
                    printf '%s\\n' $lines
                end
            end
            complete -c \(name) -f -a '(_\(function))'

            """
        default: nil
        }
    }
}

extension Option {
    /// Without an argument behind `=`, or behind a letter.
    fileprivate func isWritten(as word: String) -> Bool {
        word == "--" + name || letter.map { word == "-\($0)" } ?? false
    }
}
