#!/usr/bin/env bash
# Shows that an application is two folders: copies the tree, deletes the folders of an application and the lines that
# register it, and builds, tests and runs the rest. First Books is deleted, then all applications but Echo.
#
#     scripts/without-applications.sh SCRATCH [OPTION-OF-SWIFT-BUILD...]
#
# The tests of an application go with it: the suites with its name, and each file of another suite that imports one of its
# modules. Both runs share a tree, so the second builds only what has changed.
set -euo pipefail
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.."
mkdir -p "$1/tree" "$1/build"
scratch=$(cd "$1/build" && pwd) tree=$(cd "$1/tree" && pwd)
options=("${@:2}")
folder=$(mktemp -d)
daemon=
end_daemon() { [[ -z $daemon ]] || { kill "$daemon" && wait "$daemon"; } || true; daemon=; }
trap 'end_daemon; rm -rf "$folder"' EXIT

# expect WHAT EXPECTED ACTUAL
expect() {
    [[ $2 == "$3" ]] && return
    printf '%s: expected:\n%s\ngot:\n%s\n' "$@" >&2
    exit 1
}

# --- The copy

# A file that is the same keeps its time, so that a second run of this script builds little.
git ls-files -z --cached --others --exclude-standard >"$folder/files"
while IFS= read -r -d '' file; do
    [[ ! -f $file ]] || cmp -s "$file" "$tree/$file" || cp -p --parents "$file" "$tree"
done <"$folder/files"
(cd "$tree" && find . -type f -printf '%P\0') | sort -z |
    comm -z -23 - <(sort -z "$folder/files") | (cd "$tree" && xargs -0r rm)
cd "$tree"

# These suites run the programs as they are shipped, with all applications.
rm -r Tests/SystemTests Tests/TortureTests
# Leaves out each target without a folder, in the products and in the dependencies too.
cat >>Package.swift <<'SWIFT'

import Foundation

let missing = package.targets.filter {
    !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/\($0.path ?? "")")
}.map(\.name)
package.targets.removeAll { missing.contains($0.name) }
for target in package.targets {
    target.dependencies.removeAll {
        if case .byNameItem(let name, _) = $0 { missing.contains(name) } else { false }
    }
}
package.products = package.products.compactMap { product in
    switch product {
    case let library as Product.Library:
        let left = library.targets.filter { !missing.contains($0) }
        return left.isEmpty ? nil : .library(name: library.name, targets: left)
    case let program as Product.Executable:
        return program.targets.contains(where: missing.contains) ? nil : program
    default: return product
    }
}
SWIFT

# --- Deleting

# The files that register applications, their view models and their events.
registrations=(Sources/busd/main/Busd.swift Sources/clients/web/main/Web.swift Tests/DaemonTests/ServerFixture.swift
    Tests/Fuzzing/{FuzzServices,ReaderFuzz}.swift Tests/ProtocolTests/ExamplesTests.swift)
jq -r '.targets[] | "\(.name) \(.path)"' <<<"$(swift package dump-package)" >"$folder/targets"

# delete APPLICATION FOLDER...: the application and the folders of its clients.
delete() {
    local kinds modules module path client
    kinds=$(grep -rhoP '^public enum \K\w+(?=: ViewModelKind)' "Sources/ViewModels/$1" | paste -sd '|')
    rm -r "Sources/ViewModels/$1"
    for client in "${@:2}"; do rm -r "Sources/clients/$client"; done
    modules=$(while read -r module path; do [[ -d $path ]] || echo "$module"; done <"$folder/targets" | paste -sd '|')
    sed -i -E -e "/^(@testable )?import ($modules)\$/d" -e "/\<($kinds)\.self\>/d" \
        -e "s/\.${1,}\>, //" -e "s/(, )?\.${1,}\>//" "${registrations[@]}"
    rm -r Tests/"$1"*Tests
    { grep -rlE "^(@testable )?import ($modules)\$" Tests || true; } | xargs -r rm
    find Tests -type d -empty -delete
    # The result of a manifest is cached until its text changes.
    echo "// Without $1" >>Package.swift
}

# --- Building, testing and running

# As many random tests as show that they run: `make test` and `make test-schedules` have more.
export BUSD_SCHEDULES=40 BUSD_HOUSE_MUTATIONS=40 BUSD_DAMAGE=6

# build_and_test WITHOUT SKIPPED-SUITE: both runs build all suites that are left; two long ones run once each.
build_and_test() {
    local began=$SECONDS log=$scratch/log
    swift build --scratch-path "$scratch" --build-tests "${options[@]}" >"$log" 2>&1 ||
        { grep -aE -A 12 '(^|: )(error|fatal error):' "$log" | head -60 >&2; exit 1; }
    echo "== test: without $1: built in $((SECONDS - began)) s"
    began=$SECONDS
    "$scratch/debug/busdPackageTests.xctest" --testing-library swift-testing --skip "^$2\." >"$log" 2>&1 </dev/null ||
        { grep -aE -A 9 '✘|Fatal error' "$log" | head -200 >&2; exit 1; }
    echo "== test: without $1: $(grep -aoP 'Test run with \K\d+ tests' "$log") passed in $((SECONDS - began)) s"
}

export XDG_RUNTIME_DIR=$folder HOME=$folder
unset STATE_DIRECTORY XDG_STATE_HOME BUSD_SOCKET
viewctl() { timeout 120 "$scratch/debug/viewctl" "$@" 2>&1; }

start() {
    "$scratch/debug/busd" 2>>"$folder/busd.log" &
    daemon=$!
    for ((attempt = 0; attempt < 2400; attempt++)); do
        viewctl ping >/dev/null && return
        sleep 0.05
    done
    expect "the daemon" "an answer" "$(<"$folder/busd.log")"
}

# expect_view_models KINDS KNOWN UNKNOWN: the kinds, and addresses that the daemon has and does not have.
expect_view_models() {
    local address
    expect "the kinds" "$1" "$(viewctl describe | jq -r .kind | paste -sd ' ')"
    for address in $2; do
        expect "get $address" "0" "$(viewctl get "$address" >/dev/null; echo $?)"
    done
    for address in $3; do
        expect "get $address" "viewctl: there is no view model $address (unknownViewModel)" "$(viewctl get "$address")"
    done
}

delete Books books
build_and_test Books BrokerTests
start
expect_view_models "views connections tap statistics games game-creator scoreboard player plays login echo users store" \
    "echo/x games login/x" "books study/1 cards/1 book-creator/x"
expect "a game" scoreboard/1 "$(viewctl send games createGame \
    '{"home":{"name":"Hawks","players":["Ann"]},"away":{"name":"Jets","players":["Di"]}}' | jq -r .made)"
end_daemon

delete Games scoreboard
delete Login login
build_and_test "Books, Games and Login" StorageTests
start
expect_view_models "views connections tap statistics echo" \
    "echo/x bus/views" "books games scoreboard/1 login/x"
echo "the rest works without an application"
