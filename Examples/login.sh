#!/usr/bin/env bash
# Signs a user in. Reads the password from standard input, so that no list of processes shows it.
#
#     login.sh USER < FILE
set -euo pipefail
to=login/script-$$
socket=${BUSD_SOCKET:-${XDG_RUNTIME_DIR:-/run}/busd/busd.sock}
[[ -n ${BUSD_SOCKET-} || -S $socket ]] || socket=/run/busd/busd.sock

# The result of the password check arrives after the answer to the tap. So the view stays
# subscribed, and this script ends the conversation. The answer to a tap without effect has no `seq`.
exec 3< <(exec socat -t86400 - "UNIX-CONNECT:$socket" < <(
    echo '{"op":"subscribe","to":"'$to'","as":"login.sh"}'
    jq -cn --arg to $to --arg user "$1" '{op: "send", $to, event: {usernameChanged: {username: $user}}}'
    head -n1 | jq -cR --arg to $to '{op: "send", $to, event: {passwordChanged: {password: .}}}'
    echo '{"op":"send","to":"'$to'","event":"loginTapped","id":"tap"}'
))
trap 'kill $! 2>/dev/null || true' EXIT

jq -rn '
    first(inputs
        | if .error then "\(.error.message)\n" | halt_error(1)
          elif .event.showFailureMessage then "\(.event.showFailureMessage.message)\n" | halt_error(1)
          elif .id == "tap" and (.ok.seq | not) then "a name and a password are needed\n" | halt_error(1)
          else .event.showSuccessMessage.message // empty end)' <&3
