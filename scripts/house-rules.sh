#!/usr/bin/env bash
# The rules that no compiler holds; see CONTRIBUTING.md. Prints each line that breaks one, and fails then.
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

# refuse WHY PATTERN PLACE... [-- PLACE THAT MAY...]: code, not comments. The test of these rules may.
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

refuse "only EventLoop sees libevent" 'import CLibevent' Sources Tests -- Sources/EventLoop/
refuse "only Terminal sees ncurses" 'import CNcurses' Sources Tests -- Sources/clients/Terminal/
refuse "only Storage sees SQLite" 'import CSQLite' Sources Tests -- Sources/ViewModels/Storage/
refuse "only Passwords sees libsodium" 'import CSodium' Sources Tests -- Sources/busd/Passwords/
refuse "Unmanaged has one file" '\bUnmanaged\b' Sources -- Sources/EventLoop/Trampoline.swift
refuse "nothing that ships imports Foundation" 'import Foundation' Sources
refuse "the compiler is not talked out of its checks" \
    '@unchecked|nonisolated\(unsafe\)|\bunsafeBitCast\b|-Ounchecked' Sources Tests
refuse "a trap is the death of everybody's process" \
    'try!|\bas!|\bunowned\b|\bfatalError\b' Sources -- Sources/TestKit/
# What stands in a text or behind a comment's slashes is not code.
report "a forced unwrap is a trap" "$(
    grep -rnE --include='*.swift' '[]A-Za-z0-9_)]!' Sources | grep -v '^Sources/TestKit/' | awk '{
        code = $0
        gsub(/\\"/, "", code); gsub(/"[^"]*"/, "", code); sub(/\/\/.*/, "", code)
        if (code ~ /[]A-Za-z0-9_)]!([^=]|$)/) print
    }' || true
)"
# A peer's number is at most 2^53 in size (Int+Peer.swift), and what is counted is in memory, so no sum of such traps.
# What can is refused: a conversion that does not say what happens to what does not fit, a product of which neither side
# is a constant or below a thousand, a division by what may be 0, and arithmetic in narrow types. A line may say instead
# why it can't trap, behind `// fits: `.
report "where a peer's numbers come in, nothing overflows; where it seems so, // fits: says why not" "$(
    grep -rnE --include='*.swift' 'Int(8|16|32|64|128)?(\(|\.init)| [*/%]=? ' \
        Sources/Protocol Sources/ViewModels Sources/busd Sources/clients/BusClient 2>/dev/null |
        grep -vE '^Sources/ViewModels/Storage/|^[^:]+:[0-9]+: *//|// fits: .' | awk '
        function constant(text) { return text ~ /^-?[A-Z][A-Za-z]*(<[A-Za-z]+>)?\.[^)]/ }
        function below(text) { return text ~ /^-?[0-9][0-9]?[0-9]?([^0-9_]|$)/ }
        {
            code = $0
            sub(/^[^:]+:[0-9]+:/, "", code)
            gsub(/\\"/, "", code); gsub(/"[^"]*"/, "", code); sub(/\/\/.*/, "", code)
            refused = code ~ / [-+*] U?Int(8|16|32)\(/ || code ~ /U?Int(8|16|32)\([^()]*\)\)? [-+*] / ||
                code ~ /Int(8|16|32|64|128)?\.init([^(]|$)/
            for (rest = code; match(rest, /(^|[^A-Za-z0-9_])U?Int(8|16|32|64|128)?(\.init)?\(/);) {
                rest = substr(rest, RSTART + RLENGTH)
                if (rest !~ /^([A-Za-z]+:|[0-9_]*\))/) refused = 1
            }
            for (rest = code; match(rest, / [*\/%]=? /);) {
                sign = substr(rest, RSTART + 1, 1)
                left = substr(rest, 1, RSTART - 1)
                sub(/.*[ (\[]/, "", left)
                rest = substr(rest, RSTART + RLENGTH)
                if (sign == "*" && (constant(rest) || below(rest))) continue
                if (sign == "*" && left !~ /\)$/ && (constant(left) || below(left))) continue
                if (sign != "*" && (constant(rest) || rest ~ /^-?[1-9]/)) continue
                refused = 1
            }
            if (refused) print
        }' || true
)"
refuse "an integer of an event is an Int, of which a peer sends no large one" \
    ': (U?Int(8|16|32|64|128)|UInt)([^(A-Za-z0-9_]|$)|\[U?Int[0-9]*:' Sources/Protocol/Events
refuse "there is one thread, and no tasks" '\bTask *(\.detached *)?(\(.*\) *)?\{|^ *(public |package )?actor ' Sources
refuse "tests do not sleep" '\b(u|nano)?sleep\(|Task\.sleep|Thread\.sleep' Tests

# too_long WHAT LIMIT PLACE
too_long() {
    report "files are at most $2 lines in $1" "$(
        find "$1" -name '*.swift' -exec awk -v most="$2" '
            FNR > most { print FILENAME; nextfile }' {} +
    )"
}
too_long Sources 300
too_long Tests 500
# A line of the wire is spelled out whole.
report "lines are at most 100 wide" "$(
    grep -rsnE --include='*.swift' --exclude-dir=.build '^.{101,}' Sources Tests Examples |
        grep -vE '^[^:]+:[0-9]+: *[a-z.(+=:? ]*#*".*"#*[],)]*$' | cut -d: -f1,2
)"

exit $broken
