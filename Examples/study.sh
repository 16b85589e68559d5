#!/usr/bin/env bash
# Studies a book: asks each card and reads a line as the answer, until all cards are known or the
# input ends.
#
#     study.sh [BOOK]      the number of the book; default 1
set -euo pipefail
to=study/${1:-1}
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock

# ask FILTER REQUEST...: sends the requests and a `get`, and prints its values through a filter of jq.
ask() {
    printf '%s\n' "${@:2}" "get $to" | socat -t60 - "UNIX-CONNECT:$socket" | jq -r "
        if .error then \"\(.error.message)\n\" | halt_error(1) else .ok.events | add | $1 end"
}

front=$(ask '.card.front // empty')
while [[ -n $front ]]; do
    read -rp "$front: " answer || break
    back=$(ask .card.back "send $to reveal")
    export back
    if [[ $answer == "$back" ]]; then
        ask '"yes.  \(.progress.text)"' "send $to known"
    else
        ask '"no: \(env.back).  \(.progress.text)"' "send $to unknown"
    fi
    front=$(ask '.card.front // empty')
done
