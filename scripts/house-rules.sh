#!/usr/bin/env bash
# Checks rules that the compiler does not check; see CONTRIBUTING.md. Prints each line that breaks a rule, and
# fails if there is one.
#
#     scripts/house-rules.sh [ROOT]
set -euo pipefail
export LC_ALL=C.UTF-8
cd "${1:-$(dirname "$0")/..}"
broken=0

report() {
    [[ -n $2 ]] || return 0
    printf '%s:\n%s\n' "$1" "$2"
    broken=1
}

# refuse WHY PATTERN PLACE... [-- EXCEPTION...]: refuses code that matches PATTERN; comments may match it. The test
# of these rules is an exception too.
refuse() {
    local why=$1 pattern=$2 places=() but=(-e "^Tests/SystemTests/HouseRulesTests.swift")
    shift 2
    while (($#)) && [[ $1 != -- ]]; do places+=("$1") && shift; done
    for place in "${@:2}"; do but+=(-e "^$place"); done
    report "$why" "$(
        grep -rnE --include='*.swift' -- "$pattern" "${places[@]}" 2>/dev/null |
            grep -vE '^[^:]+:[0-9]+: *//' | grep -v "${but[@]}" || true
    )"
}

refuse "only EventLoop may import libevent" 'import CBusdLibevent' Sources Tests -- Sources/EventLoop/
refuse "only Terminal may import ncurses" 'import CBusdNcurses' Sources Tests -- Sources/clients/Terminal/
refuse "only Storage may import SQLite" 'import CBusdSQLite' Sources Tests -- Sources/Storage/ Tests/StorageTests/
refuse "only Accounts and Digest of busd-web may import libsodium" 'import CBusdSodium' Sources Tests -- \
    Sources/busd/Accounts/ Sources/clients/web/Pairings/Digest.swift
refuse "only QRCode may import libqrencode" 'import CBusdQrencode' Sources Tests -- \
    Sources/clients/web/Pairings/QRCode.swift
refuse "only HTTP may import libmicrohttpd" 'import CBusdMicrohttpd' Sources Tests -- Sources/clients/HTTP/
refuse "only Trampoline and HTTPTrampoline may use Unmanaged" '\bUnmanaged\b' Sources -- \
    Sources/EventLoop/Trampoline.swift Sources/clients/HTTP/HTTPTrampoline.swift
# Exceptions: sockets and their locks; files that SQLite writes; a symbolic link; a copy that is complete already; the
# files of a daemon that is tested.
refuse "only Files may open, read whole or replace a file, make a folder and act as its owner" \
    '(^|[^.A-Za-z_])((fopen|getline|fsync|mkdir(at)?|renameat|sete?[ug]id)\(|rename\([a-z]+, [a-z]+\)|open(at)?\(.*O_)|Glibc\.(open|rename)\(' \
    Sources -- Sources/Files/ Sources/EventLoop/ Sources/Storage/Files/File.swift \
    Sources/busd/Daemon/State/ControlLink.swift Sources/busd/Daemon/BackupTarget.swift \
    Sources/clients/viewctl/Expect/TestDaemon.swift
refuse "only MonotonicClock reads this clock, and only FNV1a has this hash" \
    'CLOCK_MONOTONIC|0x100_?0000_?01[bB]3' Sources -- \
    Sources/EventLoop/MonotonicClock.swift Sources/Protocol/Text/FNV1a.swift
refuse "Sources must not import Foundation" 'import Foundation' Sources
refuse "\`Bus\` is not copyable, so #expect cannot take apart a path to its flag: add == true" \
    '#(expect|require)\(!?(\w+\.)*bus\.bus\.\w+\)' Tests
refuse "a method of the bus as a value crashes the compiler (6.3): write a closure" \
    '\.(map|flatMap|compactMap|filter|forEach)\((model|state|isHere|mayAnswer|hasRoom)(\(\w*:\))?\)' Sources/busd/Broker
refuse "checks of the compiler must not be turned off" \
    '@unchecked|nonisolated\(unsafe\)|\bunsafe(BitCast|Downcast|lyUnwrapped)\b|\buncheckedBounds\b|-Ounchecked' \
    Sources Tests
refuse "a trap would end the daemon for all clients" \
    'try!|\bas!|\bunowned\b|\bfatalError\b' Sources -- Sources/TestKit/
# Splits a line of Swift: `comment` is its comment, and `code` is the rest without the content of strings, but with
# their interpolations. Open strings are a stack, because an interpolation may contain another string.
reading='
    function read(line, mark, hashes, escaped, ended) {
        code = comment = ""
        if (FNR == 1) texts = 0
        while (line != "") {
            if (texts == 0 || parens[texts]) {
                if (!match(line, /\/\/|#*"("" *$)?|[()]/)) break
                mark = substr(line, RSTART, RLENGTH)
                code = code substr(line, 1, RSTART - 1)
                line = substr(line, RSTART + RLENGTH)
                if (mark == "//") { comment = line; line = ""; break }
                code = code mark
                if (mark == "(") parens[texts]++
                else if (mark == ")") parens[texts]--
                else {
                    hashes = mark
                    gsub(/[" ]/, "", hashes)
                    gsub(/[# ]/, "", mark)
                    parens[++texts] = 0
                    closing[texts] = mark hashes
                    escape[texts] = "\\" hashes
                }
            } else {
                escaped = index(line, escape[texts])
                ended = index(line, closing[texts])
                if (escaped && (!ended || escaped < ended)) {
                    line = substr(line, escaped + length(escape[texts]))
                    if (line ~ /^\(/) { parens[texts] = 1; code = code " (" }
                    line = substr(line, 2)
                } else if (ended) {
                    line = substr(line, ended + length(closing[texts]))
                    code = code closing[texts--]
                } else line = ""
            }
        }
        code = code line
        while (texts && closing[texts] !~ /"""/) texts--
    }
    function found() { print FILENAME ":" FNR ":" $0 }
    { read($0) }
    { reason = comment ~ /(^|\/\/) (fits|holds): ./ }'
# refuse_code WHY RULE [FIND-TEST...]: refuses lines that an awk rule finds, in files that pass the tests of find(1).
refuse_code() {
    local why=$1 rule=$2 lines
    shift 2
    lines=$(find Sources "$@" -name '*.swift' -exec awk "$reading $rule" {} +)
    report "$why" "$lines"
}

refuse_code "a forced unwrap may trap" 'code ~ /[]A-Za-z0-9_)}>"`?]!([^=]|$)/ { found() }' \
    ! -path 'Sources/TestKit/*'
# The rooms that handle input of peers.
rooms=(-regex 'Sources/\(Protocol\|EventLoop\|Files\|ViewModels\|Storage\|busd\|clients/\(BusClient\|HTTP\|web\|scoreboard/Web\)\)/.*')
refuse_code "a precondition in code that handles input needs // holds: and the reason why it is true" '
    !reason && code ~ /(^|[^A-Za-z0-9_])(precondition|preconditionFailure|assert|assertionFailure)\(/ { found() }' \
    "${rooms[@]}"
refuse_code "only BusDaemon and WebProgram may end the process" '
    code ~ /(^|[^A-Za-z0-9_])(_?exit|_Exit|quick_exit|abort)\(/ { found() }' \
    "${rooms[@]}" ! -path Sources/busd/Daemon/BusDaemon.swift ! -path Sources/clients/web/WebProgram.swift
# A number of a peer is at most 2^53 in size (Int+Peer.swift), and memory limits every count, so sums of Ints cannot
# overflow. These may, and are refused: a conversion that does not state its overflow behaviour, unless of a constant; a
# product, unless one side is a constant or below 1000; a division by a value that may be 0; and arithmetic in narrow
# types, if the line names the type or the file has named it above. After `// fits: ` a line may state why it is safe.
refuse_code "this arithmetic may overflow: state the overflow behaviour, or after // fits: why it cannot overflow" '
    function constant(text) { return text ~ /^-?[A-Z][A-Za-z]*(<[A-Za-z]+>)?\.[^)]/ }
    function below(text) { return text ~ /^-?[0-9][0-9]?[0-9]?([^0-9_]|$)/ }
    function divides(text) { return constant(text) || text ~ /^-?[1-9]/ }
    BEGIN {
        start = "(^|[^A-Za-z0-9_])"
        integer = "(U?Int(8|16|32|64|128)?|C(Signed|Unsigned)?(Char(16)?|Short|Int|(Long)?Long)|[a-z][a-z0-9_]*_t)"
        converts = start integer "(\\.init)?\\(|(^|[^]A-Za-z0-9_)>])\\.init\\("
        converter = start integer "\\.init([^(]|$)|" start "numericCast([^A-Za-z0-9_]|$)"
        narrow = "[a-z][A-Za-z0-9_]*: (inout )?U?Int(8|16|32)([^A-Za-z0-9_.(\\[]|$)"
    }
    FNR == 1 { split("", narrows) }
    {
        refused = code ~ / [-+*] U?Int(8|16|32)\(/ || code ~ /U?Int(8|16|32)\([^()]*\)\)? [-+*] / ||
            code ~ /: U?Int(8|16|32) = .* [-+*] / || code ~ converter || code ~ /[(,:] *[*\/%]=?[,)]/
        for (name in narrows)
            if (code ~ start name " [-+*]=? " || code ~ " [-+*]=? " name "([^A-Za-z0-9_.(]|$)") refused = 1
        for (rest = code; match(rest, narrow);) {
            name = substr(rest, RSTART, RLENGTH)
            sub(/:.*/, "", name)
            narrows[name] = 1
            rest = substr(rest, RSTART + RLENGTH)
        }
        # A failable conversion is safe: `guard let number = Int(text),` and `Int(text) ?? 0`.
        if (code ~ /let [A-Za-z]+ = U?Int[0-9]*\(.*(,|\{)$/ || code ~ /U?Int[0-9]*\([^()]*\) \?\? /)
            code = ""
        for (rest = code; match(rest, converts);) {
            rest = substr(rest, RSTART + RLENGTH)
            if (rest !~ /^([A-Za-z]+:|[0-9_]*\)|[A-Z][A-Z0-9_]+(\.rawValue)?\)|MemoryLayout<[A-Za-z0-9_]+>\.size\))/) refused = 1
        }
        for (rest = code; match(rest, /quotientAndRemainder\(dividingBy: /);) {
            rest = substr(rest, RSTART + RLENGTH)
            if (!divides(rest)) refused = 1
        }
        for (rest = code; match(rest, / [*\/%]=?( |$)/);) {
            sign = substr(rest, RSTART + 1, 1)
            left = substr(rest, 1, RSTART - 1)
            sub(/.*[ (\[]/, "", left)
            rest = substr(rest, RSTART + RLENGTH)
            if (sign == "*" && (constant(rest) || below(rest))) continue
            if (sign == "*" && left !~ /\)$/ && (constant(left) || below(left))) continue
            if (sign != "*" && divides(rest)) continue
            refused = 1
        }
        if (refused && !reason) found()
    }' "${rooms[@]}"
# Unicode comparison takes quadratic time for hostile texts. So a text of a peer is a key as an ExactText, and is split
# and searched in its utf8. A line may state after `// text: ` why this is not needed.
refuse_code "a text of input must be handled as bytes (ExactText, utf8), or // text: states why not" '
    comment ~ /(^|\/\/) text: ./ { next }
    code ~ /\[String ?: |(Set|Dictionary)<String[,>]/ { found() }
    code ~ /\.(hashValue|lowercased\(|uppercased\(|localized)|\.has(Prefix|Suffix)\(/ { found() }
    code ~ /\.(split|(first|last)Index|contains|firstRange|ranges)\((separator: |of: )?"/ && code !~ /utf8\.|unicodeScalars\./ { found() }' \
    "${rooms[@]}" ! -path 'Sources/EventLoop/*'
# What an application may name, its own folders name; the engine serves any. `main` registers the applications.
refuse_code "the engine names no application: its code lies in Sources/ViewModels and Sources/clients" '
    tolower(code) ~ /(^|[^a-z0-9_])(games?|books?|cards?|decks?|login)([^a-z0-9_]|$)/ { found() }' \
    ! -path 'Sources/ViewModels/*' ! -path '*/main/*' ! -path 'Sources/clients/scoreboard/*' \
    ! -path 'Sources/clients/books/*' ! -path 'Sources/clients/login/*'
refuse "an integer in an event must be an Int, whose size in input is limited" \
    ': (U?Int(8|16|32|64|128)|UInt)([^(A-Za-z0-9_]|$)|\[U?Int[0-9]*:' Sources/Protocol/Events Sources/ViewModels/*/Events
refuse "there is one thread: no tasks, no actors" '\bTask *(\.detached *)?(\(.*\) *)?\{|^ *(public |package )?actor ' Sources
refuse "only Spawning.swift may start programs: it keeps them from the sockets and folders of the machine" \
    '(^|[^.A-Za-z_])(posix_spawnp?|popen|execve?|system)\(|\benviron\b' Tests -- Tests/TestSupport/Spawning.swift
refuse "the title of a test must begin with a capital" \
    '\b(func|struct|class|enum) `[^A-Z`][^`]*[ /]|@(Test|Suite)\("[^A-Z]' Tests Examples docs
refuse "tests must not sleep: they wait for an event, or with eventually" \
    '\b(u|nano)?sleep\(|\b(Task|Thread)\.sleep|\bpoll\(nil|\bsched_yield\(' Tests -- Tests/TestSupport/Eventually.swift

# too_long WHAT LIMIT PLACE
too_long() {
    report "files in $1 may have at most $2 lines" "$(
        find "$1" -name '*.swift' -exec awk -v most="$2" '
            FNR > most { print FILENAME; nextfile }' {} +
    )"
}
too_long Sources 300
too_long Tests 500
# Except for a string with a line of the protocol.
report "lines may have at most 100 columns" "$(
    grep -rsnE --include='*.swift' --exclude-dir=.build '^.{101,}' Sources Tests Examples |
        grep -vE '^[^:]+:[0-9]+: *[a-z.(+=:? ]*#*".*"#*[],)]*$' | cut -d: -f1,2
)"

exit $broken
