#!/usr/bin/env bash
# Tests scripts/new-kind.sh: that each bad name is refused, the files for this package, and the blocks for an empty one.
# Then makes a whole package in a new folder, pastes a durable kind into it, makes a small durable package in another new
# folder, runs their tests, and talks to their daemons.
#
#     scripts/new-kind-test.sh SCRATCH [OPTION-OF-SWIFT-BUILD...]
#
# With the scratch path and the options of scripts/examples-test.sh, the modules of busd are not built again.
set -euo pipefail
mkdir -p "$1"
scratch=$(cd "$1" && pwd)
busd=$(cd "$(dirname "$0")/.." && pwd)
script=$busd/scripts/new-kind.sh
folder=$(mktemp -d)
daemon=
trap '[[ -z $daemon ]] || { kill "$daemon" && wait "$daemon"; } || true; rm -rf "$folder"' EXIT

# expect WHAT EXPECTED ACTUAL
expect() {
    [[ $2 == "$3" ]] && return
    printf '%s: expected:\n%s\ngot:\n%s\n' "$@" >&2
    exit 1
}

# block PLACE FILE: the block to paste that the script has printed into the file.
block() { awk -v into="== paste into $1" '/^== /{ isIn = index($0, into) == 1; next } isIn' "$2"; }

# paste_registration FILE: pastes the block for `main` into a file that runs a daemon already, and formats it: the import
# may stand anywhere.
paste_registration() {
    local lines
    lines=$(block "$1" "$folder/output")
    sed -i -e "1i $(sed -n 1p <<<"$lines")" -e "s/\.run(/&$(sed -n 2p <<<"$lines"), /" "$1"
    swift format format -i --configuration "$busd/.swift-format" "$1"
}

# --- Bad names: nothing is written

mkdir "$folder/refusing"
cd "$folder/refusing"
mkdir -p Sources/Kind Sources/lamp
cat >Package.swift <<'EOF'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "refusing",
    targets: [
        .target(name: "Kind"),
        .executableTarget(
            name: "lamp"),
    ]
)
EOF
cat >Sources/Kind/Bell.swift <<'EOF'
public enum Bell: ViewModelKind {
    public static let name = "bell"
}
EOF
# A file has at most so many KiB.
room=unlimited
# refused STATUS REASON ARGUMENT...
refused() {
    local before after output status=0
    before=$(find . | sort)
    output=$(ulimit -f "$room" && "$script" "${@:3}" 2>&1) || status=$?
    after=$(find . | sort)
    expect "the status of new-kind.sh ${*:3}" "$1" "$status"
    [[ $output == *"new-kind.sh: "*"$2"* ]] || expect "the message of new-kind.sh ${*:3}" "$2" "$output"
    expect "the files after new-kind.sh ${*:3}" "$before" "$after"
}
for name in Tally 1tally tally/1 tally.1 tally- tally--1 'tally ho' 'tally"' '$(id)' tälly _tally; do
    refused 64 "is not a valid name" --in . -- "$name"
done
for arguments in "" "--in . --" "--in . tally ho" "--lasting tally" "--in"; do
    # shellcheck disable=SC2086 # Each word is an argument.
    refused 64 "use: make new-kind" $arguments
done
refused 64 "use: make new-kind" --in . -- ""
refused 64 "use at most 24" --in . a-name-of-25-characters-x
for name in class self type protocol any main import; do
    refused 64 "is a keyword" --in . "$name"
    refused 64 "is a keyword" --durable "$name"
done
for name in books game-creator echo bus house user game; do
    refused 73 "busd has a kind" --in . --durable "$name"
    refused 73 "busd has a kind" "$name"
done
refused 73 "the package has a kind" --in . bell
for name in lamp kind viewctl fuzz; do refused 73 "there is a target" --in . "$name"; done
# Types of busd, of the standard library, of Testing, a module, and names that become types of busd, such as
# RecordingView.
for name in address view placement output screen string set test glibc swift recording hosted remote; do
    refused 73 "would have the name of a type" --in . "$name"
done
refused 66 "there is no folder" --in missing/new tally
refused 66 "is not a folder" --in Package.swift tally
refused 66 "is not a folder" --in "" tally
refused 73 "busd has a kind" --in new books
refused 66 "has no Package.swift" --in Sources tally
sed -i 's/^let package/let refusing/' Package.swift
refused 66 "does not say let package" --in . tally
sed -i 's/^let refusing/let package/' Package.swift
touch Sources/main.swift
refused 73 "outside of the folders of targets" --in . tally
rm Sources/main.swift
for file in Sources/TallyEvents/Tally.swift Sources/tally/TallyClient.swift Tests/TallyTests/TallyTests.swift; do
    mkdir -p "$(dirname "$file")"
    ln -s nowhere "$file"
    refused 73 "$file exists" --in . --durable tally
    rm "$file"
done
rm -r Sources/TallyEvents Sources/tally Tests
# A file that cannot be moved to its place, and a disk that is full.
touch Tests
refused 73 "nothing has changed" --in . tally
rm Tests
room=1
refused 73 "nothing has changed" --in . tally
refused 73 "nothing has changed" tally
refused 73 "nothing has changed" --in new tally
room=unlimited
# The words that make hands over are no code.
output=$(make -s -C "$busd" new-kind NAME='"; id' IN="$PWD" DURABLE=1 2>&1 || true)
[[ $output == *"new-kind.sh: '\"; id' is not a valid name"* ]] || expect "make new-kind" "a refusal" "$output"

# --- This package

# Nothing is built: the files differ from those of another package in their access and imports.
mkdir "$folder/busd"
cd "$folder/busd"
cp -R "$busd"/{Package.swift,.swift-format,Sources,Tests,scripts} .
for options in "tally" "--durable --small a-name-of-24-characters"; do
    # shellcheck disable=SC2086 # Each word is an argument.
    scripts/new-kind.sh $options >"$folder/output"
    paste_registration Sources/busd/main/Busd.swift
    block Package.swift "$folder/output" >"$folder/block"
    sed -i "/^\/\/ For .make build/{e cat $folder/block
        }" Package.swift
done
swift format lint --strict --recursive --parallel Package.swift Sources Tests/TallyTests Tests/ANameOf24CharactersTests
scripts/house-rules.sh
expect "the targets of busd" "busd tally ANameOf24CharactersTests" "$(swift package dump-package |
    jq -r '[.targets[] | select(any(.dependencies[]; .byName[0] | IN("TallyEvents", "ANameOf24CharactersKind")))
        | .name] | map(select(IN("busd", "tally", "ANameOf24CharactersTests"))) | join(" ")')"

# --- A whole package, in a new folder

cd "$folder"
make -s -C "$busd" new-kind NAME=tally IN="$PWD/counting" >output
expect "the first line, and the end" "== makes $PWD/counting"$'\nswift test' "$(sed -n '1p; $p' output)"

# The blocks for an empty package have the same targets.
mkdir empty
(cd empty && swift package init --type empty >/dev/null)
"$script" --in empty tally >output
expect "the daemon to paste" "" "$(block Sources/tallyd/TallyDaemon.swift output | diff - counting/Sources/tallyd/TallyDaemon.swift)"
block Package.swift output >>empty/Package.swift
described() { swift package --package-path "$1" dump-package | jq -S '.targets, .dependencies'; }
expect "the targets of an empty package" "$(described counting)" "$(described empty)"

# The second kind is hosted by the daemon of the first.
cd counting
make -s -C "$busd" new-kind NAME=tea-timer DURABLE=1 IN="$PWD" >"$folder/output"
paste_registration Sources/tallyd/TallyDaemon.swift
block Package.swift "$folder/output" >>Package.swift

# A small one. Its folder has a .gitignore already.
mkdir "$folder/small"
echo '*.log' >"$folder/small/.gitignore"
make -s -C "$busd" new-kind NAME=a-name-of-24-characters DURABLE=1 SMALL=1 IN="$folder/small" >"$folder/output"
expect "the .gitignore files" $'.build/\n*.log' "$(cat .gitignore ../small/.gitignore)"
swift format lint --strict --recursive --configuration "$busd/.swift-format" . ../small

# test_package PACKAGE REPORT OPTION...: builds the package and runs its tests.
test_package() {
    local tested
    swift build --package-path "$1" --scratch-path "$scratch" --build-tests "${@:3}"
    tested=$(swift test --package-path "$1" --scratch-path "$scratch" --skip-build --disable-xctest 2>&1) ||
        expect "the tests of $1" passed "$tested"
    [[ $tested == *"Test run with $2 passed"* ]] || expect "the tests of $1" "$2" "$tested"
}
began=$SECONDS
test_package "$folder/small" "3 tests in 1 suite" "${@:2}"
test_package "$folder/counting" "6 tests in 2 suites" "${@:2}"
echo "== new kinds: their tests passed $((SECONDS - began)) s after the build began"

export XDG_RUNTIME_DIR=$folder HOME=$folder
unset STATE_DIRECTORY XDG_STATE_HOME TALLYD_SOCKET
ask() { socat -t60 - "UNIX-CONNECT:$folder/$1/$1.sock"; }
# start DAEMON: waits at most two minutes for an answer: the socket of a killed daemon is still there.
start() {
    "$scratch/debug/$1" 2>>"$folder/log" &
    daemon=$!
    for ((attempt = 0; attempt < 2400; attempt++)); do
        [[ $(ask "$1" 2>/dev/null <<<ping) == '{"ok":{}}' ]] && return
        sleep 0.05
    done
    expect "the daemon" "an answer" "$(<"$folder/log")"
}
end() { { kill -KILL "$daemon" && wait "$daemon"; } 2>/dev/null || true; }
client() { timeout 120 "$scratch/debug/$1" "${@:2}" 2>&1; }

long=a-name-of-24-characters
start ${long}d
expect "the small client" $'0\n1\n2\n1' "$(printf '++-' | client $long green)"
end

start tallyd
expect "the plain client" $'0\n1\n2\n1' "$(printf '++-' | client tally)"
expect "the client at a socket" 1 "$(client tally --socket "$folder/tallyd/tallyd.sock" 1 </dev/null)"
expect "no daemon" "tally: no daemon listens at $folder/none"$'\n1' \
    "$(client tally --socket "$folder/none" </dev/null || echo $?)"
help=$(client tally --help) || expect "the status of --help" 0 $?
for word in 'Usage: tally' --socket '$TALLYD_SOCKET' --help 'Exit status'; do
    [[ $help == *"$word"* ]] || expect "the help" "$word" "$help"
done
expect "a wrong option" "tally: unknown option '--lasting'"$'\n64' "$(client tally --lasting || echo $?)"
expect "an option without a path" "tally: option '--socket' needs PATH"$'\n64' "$(client tally --socket || echo $?)"
expect "too many names" "tally: unexpected operand 'b'"$'\n64' "$(client tally a b || echo $?)"
expect "a bad name" $'tally: a b is not a name\n64' "$(client tally 'a b' </dev/null || echo $?)"
expect "the durable client" $'0\n1\n2\n1' "$(printf '+x+-' | client tea-timer green)"
expect "a conversation" '[{"count":{"value":1}}]' \
    "$(printf '%s\n' 'send tally/2 increase' 'get tally/2' | ask tallyd | jq -c '.ok.events')"
events=$(ask tallyd <<<'describe tally' | jq -r '.ok | [(.viewEvents + .viewModelEvents)[].name] | join(" ")')
expect "a description" 'increase decrease count' "$events"
for word in $events; do grep -q "\"$word\"" tally.html || expect "the events of the page" "$events" "$(<tally.html)"; done
end
start tallyd
expect "the durable count after a kill" 1 "$(client tea-timer green </dev/null)"
expect "the plain count after a kill" 0 "$(client tally </dev/null)"
echo "new kinds are made, tested and hosted"
