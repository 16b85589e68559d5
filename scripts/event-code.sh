#!/usr/bin/env bash
# Generates code for the types in the Swift files of each FOLDER, into FOLDER/Generated. Each `BusyEvent` gets
# reading or writing without `Codable`, and its `name`; each struct that is `PlainJSON` gets writing. The types
# must be formatted by `swift format`.
#
#     scripts/event-code.sh [FOLDER...]            default: the folders that have generated code
#     scripts/event-code.sh --check [FOLDER...]    writes nothing, and fails if generated code would change
set -euo pipefail
export LC_ALL=C.UTF-8
checks=0
if [[ ${1-} == --check ]]; then checks=1 && shift; fi
if ((!$#)); then
    cd "$(dirname "$0")/.."
    mapfile -t folders < <(find Sources Tests -type d -name Generated -printf '%h\n' | sort)
    set -- "${folders[@]}"
fi
for folder; do [[ -d $folder ]] || { echo "event-code.sh: there is no folder $folder" >&2; exit 66; }; done

# Prints the code for one file; nothing if it has no such type.
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

        function begin(   i) {
            subject = ""
            for (i = 1; i <= depth; i++) subject = subject (i > 1 ? "." : "") type[i]
            access = header ~ /^[ \t]*public / ? "public " : header ~ /^[ \t]*package / ? "package " : ""
            is_row = header ~ /struct /
            subject_indent = level[depth]
            body_indent = -1
            cases = 0
            values[0] = 0
        }
        # text: the stored property `let NAME: TYPE`.
        function add_property(text) {
            sub(/^.*(let|var) /, "", text)
            sub(/ *=.*$/, "", text)
            is_optional[0, ++values[0]] = text ~ /\?$/
            sub(/:.*$/, "", text)
            labels[0, values[0]] = text
        }
        # text: NAME, or NAME(LABEL: TYPE, LABEL: TYPE = DEFAULT).
        function add_case(text,   open, i, parts, sides, label) {
            open = index(text, "(")
            name[++cases] = open ? substr(text, 1, open - 1) : text
            key[cases] = name[cases]
            gsub(/`/, "", key[cases])
            values[cases] = 0
            types[cases] = ""
            if (!open) return
            values[cases] = split_outside(substr(text, open + 1, length(text) - open - 1), ",", parts)
            for (i = 1; i <= values[cases]; i++) {
                split_outside(parts[i], "=", sides)
                if (sides[1] !~ /^[A-Za-z][A-Za-z0-9]*:/)
                    wrong("each value of " key[cases] " needs a label")
                label = sides[1]
                sub(/:.*$/, "", label)
                labels[cases, i] = label
                is_optional[cases, i] = sides[1] ~ /\?$/
                types[cases] = types[cases] sides[1] ","
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
        # Puts a case and its one statement, in one line if they fit.
        function put_case(indent, pattern, statement) {
            if (length(indent pattern " " statement) <= 100) return put(indent pattern " " statement)
            put(indent pattern)
            put(indent "    " statement)
        }
        function binding(i,   j, text) {
            text = "." name[i]
            for (j = 1; j <= values[i]; j++) text = text (j > 1 ? ", " : "(") "let " bound(labels[i, j])
            return text (values[i] ? ")" : "")
        }
        function joined(items, count, between,   i, text) {
            text = items[1]
            for (i = 2; i <= count; i++) text = text between items[i]
            return text
        }
        # Puts items in as many lines as they need. `glue` ends each item, or begins it if it is an operator.
        function put_lines(indent, items, count, glue, rest_indent,   i, line, item) {
            line = indent items[1]
            for (i = 2; i <= count; i++) {
                if (glue == ",") line = line ","
                item = (glue == "," ? "" : glue " ") items[i]
                if (length(line " " item (i < count && glue == "," ? "," : "")) > 100) {
                    put(line)
                    line = rest_indent item
                } else line = line " " item
            }
            put(line)
        }
        # Puts the members of a case or of a row, joined by `&&`.
        function put_members(indent, i, parts,   j, label) {
            for (j = 1; j <= values[i]; j++) {
                label = labels[i, j]
                gsub(/`/, "", label)
                parts[j] = "out.member(\"" label "\", " (is_row ? labels[i, j] : bound(label)) ")"
            }
            if (indent != "") put_lines(indent, parts, values[i], "&&", indent "    ")
        }
        function put_name(   i) {
            if (cases == 1) return put("    " access "var name: String { \"" key[1] "\" }")
            put("    " access "var name: String {")
            put("        switch self {")
            for (i = 1; i <= cases; i++) put_case("        ", "case ." name[i] ":", "\"" key[i] "\"")
            put("        }")
            put("    }")
        }
        # Cases with the same values have one statement.
        function put_writing(   i, j, done, patterns, count, head, parts) {
            put("")
            put("    " access "func writePlainly(to out: inout JSONWriter) -> Bool {")
            put("        out.plainEvent(name) { out in")
            put("            switch self {")
            for (i = 1; i <= cases; i++) {
                if (done[i]) continue
                count = 0
                for (j = i; j <= cases; j++) if (types[j] == types[i]) {
                    done[j] = 1
                    patterns[++count] = binding(j)
                }
                head = "case " joined(patterns, count, ", ") ":"
                put_members("", i, parts)
                if (!values[i]) parts[1] = "true"
                parts[0] = joined(parts, values[i], " && ")
                if (length("            " head " " parts[0]) <= 100) {
                    put("            " head " " parts[0])
                    continue
                }
                patterns[1] = "case " patterns[1]
                patterns[count] = patterns[count] ":"
                put_lines("            ", patterns, count, ",", "                ")
                if (values[i]) put_members("                ", i, parts)
                else put("                true")
            }
            put("            }")
            put("        }")
            put("    }")
        }
        function put_row(   parts) {
            put("    " access "func write(to out: inout JSONWriter) {")
            put("        out.plainObject { out in")
            put_members("            ", 0, parts)
            put("        }")
            put("    }")
        }
        function put_reading(   i, j, items, pattern, event, takes_values) {
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
        function end() {
            if (is_row ? values[0] : cases && type[depth] ~ /^View(Model)?Event$/) {
                put("")
                put("extension " subject " {")
                if (is_row) put_row()
                else if (type[depth] == "ViewEvent") put_reading()
                else { put_name(); put_writing() }
                put("}")
            }
            subject = ""
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
        subject != "" && indent_of(line) <= subject_indent { end() }
        subject != "" {
            if (body_indent < 0) body_indent = indent_of(line)
            if (line ~ /(enum [A-Za-z]*CodingKeys|init\(from |func encode\()/)
                wrong("a " (is_row ? "PlainJSON" : "BusyEvent") " has the Codable that Swift synthesises")
            if (indent_of(line) != body_indent) next
            if (is_row && line ~ /^[ \t]*((public|package) )?(let|var) [A-Za-z_`][^{]*$/) add_property(line)
            if (!is_row && line ~ /^[ \t]*(indirect )?case [A-Za-z_`]/) {
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
            # A type without content ends in the line in which it begins.
            if (header !~ /\}$/ && header !~ /private / \
                && header ~ /(enum [^{]*[:,] *BusyEvent|struct [^{]*[:,] *PlainJSON)[ ,{]/)
                begin()
            header = ""
        }
        END {
            if (failed) exit 65
            if (subject != "") end()
            if (code == "") exit
            print "// Generated from " title " by scripts/event-code.sh."
            print "// To change it, change that file and run the script."
            if (imports != "") printf "\n%s", imports
            printf "%s", code
        }
    ' "$1"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/none"
status=0
for folder; do
    fresh=$(mktemp -d "$scratch/XXXXXX") old=$folder/Generated
    for file in "$folder"/*.swift; do
        [[ -f $file ]] || continue
        generated=$fresh/$(basename "$file" .swift)+Events.swift
        code_of "$file" >"$generated"
        [[ -s $generated ]] || rm "$generated"
    done
    if ((checks)); then
        [[ -d $old ]] || old=$scratch/none
        diff -r "$old" "$fresh" && continue
        echo "The code of the events is not up to date. Run: scripts/event-code.sh $folder" >&2
        status=1
    else
        rm -f "$old"/*+Events.swift
        [[ -n $(ls "$fresh") ]] || continue
        mkdir -p "$old"
        cp "$fresh"/* "$old"
    fi
done
exit "$status"
