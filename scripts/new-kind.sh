#!/usr/bin/env bash
# Writes a new kind: its events, its view model, a client and three tests. In a package, prints two blocks to paste,
# one for `main` and one for Package.swift. Until then, no other file knows the kind.
#
#     scripts/new-kind.sh [--durable] [--small] [--in FOLDER] NAME
#
# NAME is the name of the kind, such as counter or tea-timer. Its first form counts up and down; change it from there.
# With --durable the count survives the end of the daemon. With --small, one module has the events and the view model.
# The kind is for this package, or for the package in FOLDER. A FOLDER that is empty, or that this script makes, gets a
# whole package: also Package.swift, the daemon, a page and .gitignore. Nothing is to be pasted then.
#
# Everything is checked before anything is written. The exit status is 64 if NAME or an option is wrong, 66 if there is
# no package or no folder, and 73 if NAME is taken or a file cannot be written.
#
# The code is in new-kind/*.template. A line may begin with a condition, such as @durable@: other kinds do not have it.
set -euo pipefail
export LC_ALL=C.UTF-8
busd=$(cd "$(dirname "$0")/.." && pwd)
templates=$busd/scripts/new-kind

fail() {
    echo "new-kind.sh: $2" >&2
    exit "$1"
}
usage() { fail 64 "use: make new-kind NAME=counter [DURABLE=1] [SMALL=1] [IN=FOLDER]"; }

is_durable=0 is_small=0 package=$busd
while (($#)); do
    case $1 in
        --durable) is_durable=1 ;;
        --small) is_small=1 ;;
        --in) (($# > 1)) || usage
            parent=$(dirname -- "$2")
            if [[ -d $2 ]]; then
                package=$(cd -- "$2" && pwd)
            elif [[ -z $2 || -e $2 || -L $2 ]]; then
                fail 66 "'$2' is not a folder"
            else
                [[ -d $parent ]] || fail 66 "there is no folder $parent: make it first"
                package=$(cd -- "$parent" && pwd)/$(basename -- "$2")
            fi
            shift ;;
        --) shift && break ;;
        -*) usage ;;
        *) break ;;
    esac
    shift
done
(($# == 1)) && [[ -n $1 ]] || usage
name=$1

# --- The name

most=24
[[ $name =~ ^[a-z][a-z0-9]*(-[a-z0-9]+)*$ ]] ||
    fail 64 "'$name' is not a valid name: use lowercase letters, digits and single '-', with a letter first, such as tea-timer"
((${#name} <= most)) || fail 64 "'$name' has ${#name} characters: use at most $most"
# Also words that have a meaning in some places only, and `main`, which no module can have.
keywords=" actor any as associatedtype async await borrowing break case catch class consuming continue default defer
    deinit do else enum extension fallthrough false fileprivate for func guard if import in init inout internal is let
    macro main nil nonisolated open operator package precedencegroup private protocol public repeat rethrows return self
    some static struct subscript super switch throw throws true try type typealias var where while "
[[ ! " ${keywords//$'\n'/ } " == *" $name "* ]] || fail 64 "'$name' is a keyword of Swift: choose another name"

type=
for word in ${name//-/ }; do type+=${word^}; done
constant=${type,}
module=${name//-/_}

# --- The package

manifest=$package/Package.swift
is_busd=0
if [[ $package -ef $busd ]]; then is_busd=1; fi
has_manifest=1
if [[ ! -f $manifest ]]; then
    [[ ! -d $package || -z $(ls "$package") ]] || fail 66 "$package has no Package.swift: run swift package init --type empty in it"
    has_manifest=0
elif ((!is_busd)); then
    grep -qE '^(let|var) package( |:)' "$manifest" ||
        fail 66 "$manifest does not say let package = Package(…): write it like that"
fi
if ((!is_busd)) && compgen -G "$package/Sources/*.swift" >/dev/null; then
    fail 73 "$package/Sources has Swift files outside of the folders of targets: move them into Sources/TARGET"
fi

# The first file of the package that starts a daemon, and the name of the daemon.
main= daemon=${name}d
if ((is_busd)); then
    main=Sources/busd/main/Busd.swift daemon=busd
elif [[ -d $package/Sources ]]; then
    main=$(cd "$package" && grep -rl --include='*.swift' 'BusDaemon(' Sources | sort | sed -n 1p || true)
    if [[ -n $main ]]; then
        daemon=$(tr '\n' ' ' <"$package/$main" | sed -nE 's/.*BusDaemon\( *name: *"([^"]+)".*/\1/p')
        [[ -n $daemon ]] || fail 66 "$main does not name its daemon as BusDaemon(name: \"…\"): write it like that"
    fi
fi

# --- The code

# The conditions that hold for this kind.
conditions=(plain elsewhere unlinked pasted split)
if ((is_durable)); then conditions[0]=durable; fi
if ((is_busd)); then conditions[1]=here; fi
if ((!has_manifest)); then conditions[3]=whole; fi
if ((is_small)); then conditions[4]=small; fi
if ((has_manifest)) && tr '\n' ' ' <"$manifest" | grep -qE '\.package\([^)]*busd'; then conditions[2]=linked; fi
if [[ -n $main ]]; then conditions+=(hosted); else conditions+=(alone); fi

# text TEXT: prints it as it is written in a string of Swift.
text() { sed 's/["\\]/\\&/g' <<<"$1"; }
target=${main#Sources/}
# Relative inside of this clone, as in Examples, so that the clone can be moved.
path=$busd
if [[ $package == "$busd"/* ]]; then path=$(realpath --relative-to "$package" "$busd"); fi
declare -A values=(
    [ACCESS]=public [NAME]=$name [TYPE]=$type [CONSTANT]=$constant
    [MODULE]=${name//-/_} [EVENTS]=${type}Events [MODELS]=${type}ViewModels
    [DAEMON]=$(text "$daemon") [TARGET]=$(text "${target%%/*}") [BUSD]=$(text "$path")
    [PACKAGE]=$(text "$(basename "$package")")
)
if ((is_busd)); then values[ACCESS]=package; fi
modules=("${type}Events" "${type}ViewModels")
if ((is_small)); then modules=("${type}Kind") values[EVENTS]=$modules values[MODELS]=$modules; fi

# code TEMPLATE: its code for this kind. The imports in its first lines are sorted.
code() {
    local lines place imports
    lines=$(sed -E ":next; s/^@($(IFS='|' && echo "${conditions[*]}"))@//; t next; /^@[a-z]+@/d" "$templates/$1.template")
    for place in "${!values[@]}"; do lines=${lines//"@$place@"/"${values[$place]}"}; done
    imports=$(sed -E '/^((package|public) )?import /!Q' <<<"$lines")
    [[ -z $imports ]] || sort -u <<<"$imports"
    printf '%s\n' "${lines#"$imports"$'\n'}"
}

# --- The files

if ((is_busd)); then
    # Modules of their own: a change of BusdProtocol would build everything again.
    event_files=Sources/kinds/$name/Events
    model_files=Sources/kinds/$name/ViewModels
    client_files=Sources/clients/$name
else
    event_files=Sources/${type}Events
    model_files=Sources/${type}ViewModels
    client_files=Sources/$name
fi
if ((is_small)); then
    model_files=Sources/${type}Kind
    if ((is_busd)); then model_files=Sources/kinds/$name; fi
    event_files=$model_files
fi
# Each file with its template.
files=("$event_files/$type.swift Events")
if ((is_durable)); then
    files+=("$model_files/${type}State.swift State" "$model_files/${type}ViewModel.swift DurableViewModel")
    tests=DurableTests
else
    files+=("$model_files/${type}ViewModel.swift PlainViewModel")
    tests=PlainTests
fi
files+=(
    "$model_files/${type}+Application.swift Application"
    "$client_files/${type}View.swift View" "$client_files/${type}Client.swift Client"
    "Tests/${type}Tests/${type}Tests.swift $tests")
daemon_file=Sources/$daemon/${type}Daemon.swift
if ((!has_manifest)); then
    files+=("Package.swift Targets" "$daemon_file Daemon" "$name.html Page")
    [[ -e $package/.gitignore ]] || files+=(".gitignore Ignored")
fi

# --- What is taken

# refuse_taken WHY WORD LINES: fails if WORD is one of the lines.
refuse_taken() { ! grep -qxF -- "$2" <<<"$3" || fail 73 "$1: choose another name"; }

# kinds FOLDER: the names of the kinds and things in its Swift files.
kinds() {
    { grep -rsIlE --include='*.swift' ': (ViewModelKind|Thing)\b' "$1" || true; } |
        xargs -r -d '\n' sed -nE 's/^ *((public|package) )?static let (name|kind) = "([^"]*)".*/\4/p'
}
reserved_kinds() {
    sed -n '/reservedNames = \[/,/\]/p' "$busd/Sources/busd/Hosting/Host+Kinds.swift" | grep -oE '"[^"]+"' | tr -d '"'
}
# targets MANIFEST: the names of targets and products.
targets() {
    { tr '\n' ' ' <"$1" |
        grep -oE '(arget|xecutable|ibrary|lugin|room|rogram|tests)\( *(name: *)?"[^"]+"' || true; } | sed -E 's/.*"(.*)"/\1/'
}
# types FOLDER...: the types that other files see.
types() {
    find "$@" -name '*.swift' -exec sed -nE \
        's/^(@[^ ]+ )*((public|package|final|indirect|internal) )*(class|struct|enum|protocol|typealias|actor) ([A-Z][A-Za-z0-9_]*).*/\5/p' {} +
}
# The types of the standard library, and its name. A compiler without a list of its types leaves them out.
standard_types() {
    local toolchain
    toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
    echo Swift
    sed -nE 's/^(@[^ ]+ )*public (final )?(struct|enum|protocol|typealias|class) ([A-Z][A-Za-z0-9_]*).*/\4/p' \
        "$toolchain"/lib/swift/linux/Swift.swiftmodule/"$(uname -m)"-*-gnu.swiftinterface 2>/dev/null || true
}
# The names that the templates use: their code without placeholders, comments, strings and the names of tests.
used_names() {
    sed -E '/= """$/,/^ *"""$/d; s|@[A-Z]+@[A-Za-z]*||g; s|//.*||; s/`[^`]*`//g; s/#?"[^"]*"#?//g' "$templates"/*.template |
        grep -oE '\b[A-Z][A-Za-z]+\b'
}

command -v swift >/dev/null || "$busd/scripts/need.sh"
refuse_taken "busd has a kind or a thing named $name" "$name" "$(reserved_kinds; kinds "$busd/Sources")"
refuse_taken "the package has a kind or a thing named $name" "$name" "$(kinds "$package/Sources")"

taken=$(targets "$busd/Package.swift"; if ((has_manifest)); then targets "$manifest"; fi)
new_targets=("$name" "$type" "${modules[@]}" "${type}Tests")
[[ -n $main ]] || new_targets+=("$daemon")
for target in "${new_targets[@]}"; do
    refuse_taken "there is a target or a product named $target already" "$target" "$taken"
done

# Files of the kind see the types of these folders.
seen=("$busd/Sources/"{Protocol,TestKit,busd/Daemon,busd/Hosting,clients/BusClient,clients/Terminal})
if ((is_busd)); then
    seen=("$busd/Sources")
elif [[ -d $package/Sources ]]; then
    seen+=("$package/Sources")
fi
taken=$(types "${seen[@]}"; standard_types; used_names)
for new in "$type" "$type"{View,ViewModel,State,Client,Tests,Daemon}; do
    refuse_taken "the type $new would have the name of a type of busd, of Swift or of the package" "$new" "$taken"
done

for file in "${files[@]%% *}"; do
    [[ ! -e $package/$file && ! -L $package/$file ]] ||
        fail 73 "$package/$file exists: remove it, or choose another name"
done

# --- Writing

# All files are written to a folder beside their places, and then moved, so all of them are there or none.
draft= moved=() made=() is_done=0
clean_up() {
    local status=$? path
    rm -rf "$draft"
    ((is_done)) && exit "$status"
    for path in "${moved[@]}"; do rm -f "$path"; done
    # The innermost folders come first.
    for path in "${made[@]}"; do rmdir "$path" || true; done
    fail 73 "cannot write the files: nothing has changed"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP XFSZ

if [[ ! -d $package ]]; then
    # A mistyped name shows here.
    echo "== makes $package"
    mkdir "$package"
    made=("$package")
fi
draft=$(mktemp -d "$package/.new-kind.XXXXXX")

for file in "${files[@]}"; do
    mkdir -p "$(dirname "$draft/$file")"
    code "${file#* }" >"$draft/${file%% *}"
done
mkdir "$draft/paste"
if [[ -n $main ]]; then
    place="$main: the import beside the others, and .$constant among the applications of run"
    code Registration >"$draft/paste/main"
else
    place="$daemon_file, a new file"
    code Daemon >"$draft/paste/main.swift"
fi
place_of_targets="Package.swift, at its end"
targets=Targets
if ((is_busd)); then
    place_of_targets="Package.swift, above the line // For \`make build\`"
    targets=TargetsOfBusd
fi
code "$targets" >"$draft/paste/targets.swift"
# The length of the name decides where lines break. The style is that of the package, if it has one.
style=$package/.swift-format
[[ -f $style ]] || style=$busd/.swift-format
find "$draft" -name '*.swift' -exec swift format --in-place --configuration "$style" {} +

# make_folder PATH: makes it and its parents, and notes each.
make_folder() {
    [[ ! -d $1 ]] || return 0
    make_folder "$(dirname "$1")"
    mkdir "$1"
    made=("$1" "${made[@]}")
}
for file in "${files[@]%% *}"; do
    make_folder "$(dirname "$package/$file")"
    moved+=("$package/$file")
    mv -T "$draft/$file" "$package/$file"
done
is_done=1

echo "== wrote into $package"
printf '%s\n' "${files[@]%% *}"
if ((!has_manifest)); then
    cat <<EOF
== run it, in $package
swift build
.build/debug/$daemon --socket /tmp/$daemon-try/$daemon.sock
== in another terminal
printf '++-' | .build/debug/$name --socket /tmp/$daemon-try/$daemon.sock
swift test
EOF
    exit
fi
echo "== paste into $place"
cat "$draft"/paste/main*
echo "== paste into $place_of_targets"
cat "$draft/paste/targets.swift"
echo "== then test it, in $package"
echo "swift test --filter ${type}Tests"
