#!/usr/bin/env bash
# Writes the man pages as HTML. The page of PROGRAM shows PICTURES/screen-PROGRAM.svg if it exists.
#
#     scripts/manual-site.sh MAN PICTURES SITE
set -euo pipefail
man=$1
pictures=$2
site=$3
mkdir -p "$site"

# page TITLE: an HTML page; standard input is its content
page() {
    echo '<!DOCTYPE html>'
    echo '<html lang="en">'
    echo '<meta charset="utf-8">'
    echo '<meta name="viewport" content="width=device-width, initial-scale=1">'
    echo '<link rel="stylesheet" href="../style.css">'
    echo "<title>$1</title>"
    echo '<body>'
    cat
    echo '</body>'
    echo '</html>'
}

# The name and the section in bold and plain, as pages refer to each other, become a link.
links=()
for source in "$man"/*.[1-8]; do
    file=${source##*/}
    reference="<b>${file%.*}</b>(${file##*.})"
    links+=(-e "s|$reference|<a href=\"$file.html\">$reference</a>|g")
done

for source in "$man"/*.[1-8]; do
    file=${source##*/}
    name=${file%.*}
    picture=screen-$name.svg
    figure=
    if [[ -f $pictures/$picture ]]; then
        cp "$pictures/$picture" "$site"
        figure="<p><img src=\"$picture\" alt=\"The screen of $name\"></p>"
    fi
    # The picture follows the first section, NAME.
    mandoc -T html -O fragment "$source" | sed "${links[@]}" |
        awk -v figure="$figure" '{ print } /<\/section>/ && figure { print figure; figure = "" }' |
        page "$name(${file##*.})" >"$site/$file.html"
done

{
    echo '<h1>Man pages</h1>'
    echo '<ul>'
    for source in "$man"/*.[1-8]; do
        file=${source##*/}
        # The line after .SH NAME, such as "viewctl \- sends requests".
        summary=$(sed -n '/^\.SH NAME/ { n; s/\\-/-/g; p; q }' "$source")
        echo "<li><a href=\"$file.html\">${file%.*}(${file##*.})</a>: ${summary#* - }</li>"
    done
    echo '</ul>'
    echo '<p><a href="../">busd</a></p>'
} | page "Man pages of busd" >"$site/index.html"
