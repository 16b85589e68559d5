#!/usr/bin/env bash
# Adds a book through the two screens that a person uses, and prints the address of its study.
#
#     printf 'moja\tone\nmbili\ttwo\n' | add-book.sh Swahili      one card per line: front, tab, back
set -euo pipefail
to=book-creator/script-$$
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock

# The `unsubscribe` ends the conversation. Without it, the bus would go on sending events of this draft.
{
    echo "subscribe $to add-book"
    jq -cn --arg to $to --arg name "$1" '{op: "send", $to, event: {nameChanged: {$name}}}'
    echo "send $to nextTapped"
    jq -cRs --arg to $to '{op: "send", $to, event: {cardsChanged: {text: .}}}'
    echo "send $to addTapped"
    echo "unsubscribe $to"
} | socat -t60 - "UNIX-CONNECT:$socket" | jq -rn '
    reduce inputs as $line ({problems: []};
        if $line.error then "\($line.error.message)\n" | halt_error(1) else . end
        | .book = ($line.event.added.book // .book)
        | if .book then . else .problems = ($line.event.cards.problems // .problems) end)
    | if .book then "study/\(.book)"
      else (.problems + ["the book was not added"] | join("\n") + "\n") | halt_error(1) end'
