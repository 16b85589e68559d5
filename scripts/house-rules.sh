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
refuse "where a peer's numbers come in, a narrower type says what happens to the rest" \
    '\bU?Int(8|16|32)\([^:]*\)' \
    Sources/Protocol Sources/ViewModels Sources/busd/Broker Sources/busd/Hosting Sources/clients/BusClient -- \
    Sources/ViewModels/Storage/
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
