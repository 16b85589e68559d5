#!/usr/bin/env bash
# Goes through a book: asks each card, and takes a line as the answer, until all are known or the
# input ends.
#
#     study.sh [BOOK]      the book's number, 1 where none is given
set -euo pipefail
to=study/${1:-1}
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock

# ask FILTER REQUEST...: what the filter makes of the values that `get` tells after the requests.
ask() {
    printf '%s\n' "${@:2}" "get $to" | socat -t5 - "UNIX-CONNECT:$socket" | jq -r "
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
