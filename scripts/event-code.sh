#!/usr/bin/env bash
# Generates code for the event enums in the Swift files of FOLDER, into FOLDER/Generated: for each `WireEvent`
# its `name`, and for each `BusyEvent` also reading and writing without `Codable`. The enums must be
# formatted by `swift format`.
#
#     scripts/event-code.sh [FOLDER]            default: Sources/Protocol/Events
#     scripts/event-code.sh --check [FOLDER]    writes nothing, and fails if FOLDER/Generated would change
set -euo pipefail
export LC_ALL=C.UTF-8
checks=0
if [[ ${1-} == --check ]]; then checks=1 && shift; fi
folder=${1:-$(dirname "$0")/../Sources/Protocol/Events}
[[ -d $folder ]] || { echo "event-code.sh: there is no folder $folder" >&2; exit 66; }

# Prints the code for one file; nothing if it has no such enum.
code_of() {
    awk -v file="$1" -v title="$(basename "$1")" '
        function wrong(why) {
            print file ":" FNR ": " why > "/dev/stderr"
            failed = 1
            exit
        }
        function indent_of(line) { match(line, /^[ \t]*/); return RLENGTH }
        # A line without the content of its strings and without its comment.
        function bare(line) {
            gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
            sub(/[ \t]*\/\/.*$/, "", line)
            return line
        }
        # Splits a text at a mark outside of all brackets. Returns the number of parts.
        function split_outside(text, mark, parts,   i, char, depth, count) {
            count = 1
            parts[1] = ""
            for (i = 1; i <= length(text); i++) {
                char = substr(text, i, 1)
                if (char ~ /[[(<{]/) depth++
                if (char ~ /[])>}]/) depth--
                if (char == mark && !depth) parts[++count] = ""
                else parts[count] = parts[count] char
            }
            for (i = 1; i <= count; i++) gsub(/^[ \t]+|[ \t]+$/, "", parts[i])
            return count
        }

        # --- Reading the declarations of the file

        function begin_enum(   i) {
            enum = ""
            for (i = 1; i <= depth; i++) enum = enum (i > 1 ? "." : "") type[i]
            access = header ~ /^[ \t]*public / ? "public " : header ~ /^[ \t]*package / ? "package " : ""
            is_busy = header ~ /[:,] *BusyEvent[ ,{]/
            enum_indent = level[depth]
            body_indent = -1
            cases = 0
        }
        # text: NAME, or NAME(LABEL: TYPE, LABEL: TYPE = DEFAULT).
        function add_case(text,   open, i, parts, sides, label) {
            open = index(text, "(")
            name[++cases] = open ? substr(text, 1, open - 1) : text
            key[cases] = name[cases]
            gsub(/`/, "", key[cases])
            values[cases] = 0
            if (!open) return
            values[cases] = split_outside(substr(text, open + 1, length(text) - open - 1), ",", parts)
            for (i = 1; i <= values[cases]; i++) {
                split_outside(parts[i], "=", sides)
                if (is_busy && sides[1] !~ /^[A-Za-z][A-Za-z0-9]*:/)
                    wrong("each value of " key[cases] " needs a label")
                label = sides[1]
                sub(/:.*$/, "", label)
                labels[cases, i] = label
                is_optional[cases, i] = sides[1] ~ /\?$/
            }
        }
        function add_cases(text,   i, parts, count) {
            sub(/^[ \t]*(indirect )?case /, "", text)
            count = split_outside(text, ",", parts)
            for (i = 1; i <= count; i++) add_case(parts[i])
        }
        function is_whole(text,   opened, closed) {
            opened = gsub(/\(/, "(", text)
            closed = gsub(/\)/, ")", text)
            return opened == closed && text !~ /,$/
        }

        # --- Writing the code

        function put(line) { code = code line "\n" }
        # Puts HEAD, items and TAIL in one line, or in as many as they need.
        function put_list(indent, head, items, count, tail,   i, line, rest) {
            line = indent head
            for (i = 1; i <= count; i++) line = line items[i] (i < count ? ", " : "")
            if (length(line tail) <= 100) return put(line tail)
            put(indent head)
            line = indent "   "
            for (i = 1; i <= count; i++) {
                rest = items[i] (i < count ? "," : tail)
                if (length(line " " rest) > 100) { put(line); line = indent "   " }
                line = line " " rest
            }
            put(line)
        }
        # The name of a bound value: its label, unless that is a reserved word.
        function bound(label) { return label ~ reserved ? label "Value" : label }
        function put_pattern(i,   j, items) {
            for (j = 1; j <= values[i]; j++) items[j] = "let " bound(labels[i, j])
            if (values[i]) put_list("            ", "case ." name[i] "(", items, values[i], "):")
            else put("            case ." name[i] ":")
        }
        function member(i, j,   value) {
            value = bound(labels[i, j])
            value = "out.member(\"" labels[i, j] "\", " value ")"
            return is_optional[i, j] ? "if let " bound(labels[i, j]) " { " value " }" : value
        }
        # Puts a case and its one statement, in one line if they fit.
        function put_case(indent, pattern, statement) {
            if (length(indent pattern " " statement) <= 100) return put(indent pattern " " statement)
            put(indent pattern)
            put(indent "    " statement)
        }
        function put_name(   i) {
            put("    " access "var name: String {")
            put("        switch self {")
            for (i = 1; i <= cases; i++) put_case("        ", "case ." name[i] ":", "\"" key[i] "\"")
            put("        }")
            put("    }")
        }
        function put_writing(   i, j) {
            put("")
            put("    " access "func writePlainly(to out: inout JSONWriter) -> Bool {")
            put("        out.plainEvent(name) { out in")
            put("            switch self {")
            for (i = 1; i <= cases; i++) {
                if (!values[i]) put("            case ." name[i] ": break")
                else if (values[i] == 1)
                    put_case("            ", "case ." name[i] "(let " bound(labels[i, 1]) "):", member(i, 1))
                else {
                    put_pattern(i)
                    for (j = 1; j <= values[i]; j++) put("                " member(i, j))
                }
            }
            put("            }")
            put("        }")
            put("    }")
        }
        function put_reading(   i, j, items, pattern, event, takes_values) {
            put("")
            put("    " access "init(plainly json: JSONValue) throws(NotPlain) {")
            for (i = 1; i <= cases; i++) if (values[i]) takes_values = 1
            put("        " (takes_values ? "var" : "let") " json = try PlainReader(json)")
            put("        switch json.name {")
            for (i = 1; i <= cases; i++) {
                pattern = "case \"" key[i] "\":"
                event = "self = ." name[i]
                if (!values[i]) { put_case("        ", pattern, event); continue }
                event = "self = try ." name[i] "("
                for (j = 1; j <= values[i]; j++)
                    items[j] = labels[i, j] ": json." (is_optional[i, j] ? "optionalMember" : "member") \
                        "(\"" labels[i, j] "\")"
                if (values[i] == 1 && length("        " pattern " " event items[1] ")") <= 100)
                    put("        " pattern " " event items[1] ")")
                else {
                    put("        " pattern)
                    put_list("            ", event, items, values[i], ")")
                }
            }
            put("        default: throw NotPlain()")
            put("        }")
            put("        try json.end()")
            put("    }")
        }
        function end_enum() {
            if (cases) {
                put("")
                put("extension " enum " {")
                put_name()
                if (is_busy && type[depth] == "ViewModelEvent") put_writing()
                if (is_busy && type[depth] == "ViewEvent") put_reading()
                put("}")
            }
            enum = ""
        }

        BEGIN {
            modifiers = "^[ \t]*((public|package|internal|private|fileprivate|indirect|final|@[A-Za-z]+) )*"
            type_begins = modifiers "(enum|struct|class|extension) "
            reserved = "^(Any|as|associatedtype|break|case|catch|class|continue|default|defer|deinit|do|else|enum|" \
                "extension|fallthrough|false|fileprivate|for|func|guard|if|import|in|init|inout|internal|is|let|" \
                "nil|operator|out|precedencegroup|private|protocol|public|repeat|rethrows|return|self|Self|" \
                "static|struct|subscript|super|switch|throw|throws|true|try|typealias|var|where|while)$"
        }
        { line = bare($0) }
        line ~ /^[ \t]*$/ { next }
        line ~ modifiers "import " { imports = imports $0 "\n" }
        statement != "" {
            sub(/^[ \t]+/, "", line)
            statement = statement " " line
            if (is_whole(statement)) { add_cases(statement); statement = "" }
            next
        }
        enum != "" && indent_of(line) <= enum_indent { end_enum() }
        enum != "" {
            if (body_indent < 0) body_indent = indent_of(line)
            if (is_busy && line ~ /(enum [A-Za-z]*CodingKeys|init\(from |func encode\()/)
                wrong("a BusyEvent has the Codable that Swift synthesises")
            if (indent_of(line) == body_indent && line ~ /^[ \t]*(indirect )?case [A-Za-z_`]/) {
                statement = line
                if (is_whole(statement)) { add_cases(statement); statement = "" }
            }
            next
        }
        header != "" { header = header line }
        line ~ type_begins "[A-Za-z]" {
            header = line
            while (depth && level[depth] >= indent_of(line)) depth--
            level[++depth] = indent_of(line)
            type[depth] = line
            sub(type_begins, "", type[depth])
            sub(/[^A-Za-z0-9_.`].*$/, "", type[depth])
        }
        header ~ /\{/ {
            # An enum without cases ends in the line in which it begins.
            if (header !~ /\}$/ && header !~ /private / && header ~ /enum [^{]*[:,] *(Wire|Busy)Event[ ,{]/)
                begin_enum()
            header = ""
        }
        END {
            if (failed) exit 65
            if (enum != "") end_enum()
            if (code == "") exit
            print "// Generated from " title " by scripts/event-code.sh."
            print "// To change it, change that file and run the script."
            if (imports != "") printf "\n%s", imports
            printf "%s", code
        }
    ' "$1"
}

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
for file in "$folder"/*.swift; do
    [[ -f $file ]] || continue
    generated=$fresh/$(basename "$file" .swift)+Events.swift
    code_of "$file" >"$generated"
    [[ -s $generated ]] || rm "$generated"
done

old=$folder/Generated
if ((checks)); then
    [[ -d $old ]] || old=$(mktemp -d "$fresh/.XXXXXX")
    diff -r -x '.*' "$old" "$fresh" && exit
    echo "The code of the events is not up to date. Run: scripts/event-code.sh${1:+ $1}" >&2
    exit 1
fi
rm -f "$old"/*+Events.swift
[[ -n $(ls "$fresh") ]] || exit 0
mkdir -p "$old"
cp "$fresh"/* "$old"
