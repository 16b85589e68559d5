#!/usr/bin/env bash
# The score of a game, in bash with socat and jq: score.sh [ADDRESS]
#
# Prints a line after each change. After a lost connection it connects again, and resumes.
set -uo pipefail

address=${1:-scoreboard/1}
own=${XDG_RUNTIME_DIR:-/nonexistent}/busd/busd.sock
[[ -S $own ]] || own=/run/busd/busd.sock
path=${BUSD_SOCKET:-$own}
cursor='' shown='' home='' away='' score='' finished=''

# After the request the connection is half closed; busd sends events all the same.
lines() {
    jq -cn --arg to "$address" --arg since "$cursor" \
        '{op: "subscribe", to: $to, as: "score.sh", only: ["teams", "score", "finished"]}
         + if $since == "" then {} else {since: $since} end' |
        socat -t 1000000000 - "UNIX-CONNECT:$path" 2>/dev/null |
        jq --unbuffered -r '[
            (.error.message // if .gone then "\(.gone) is gone" else "" end),
            (.live // ""), (.cursor // ""), (.seq // ""),
            (if .snapshot then "snapshot" elif .more or .gap then "more" else "" end),
            (.event.teams.home // ""), (.event.teams.away // ""), (.event.score.text // ""),
            (.event.finished.isFinished | if . == null then "" else tostring end)
            ] | map(tostring | gsub("[[:cntrl:]]"; " ")) | join("\u001f")'
}

show() {
    local line="$home $score $away"
    [[ $finished != true ]] || line+='  final'
    [[ $line == "$shown" ]] || printf '%s\n' "$line"
    shown=$line
}

while true; do
    is_live=''
    while IFS=$'\x1f' read -r error live new seq part teams_home teams_away text end; do
        if [[ -n $error ]]; then
            echo "score.sh: $error" >&2
            exit 1
        fi
        [[ -z $teams_home ]] || home=$teams_home away=$teams_away
        [[ -z $text ]] || score=$text
        [[ -z $end ]] || finished=$end
        [[ -z $live ]] || cursor=$new is_live=yes
        if [[ -n $cursor && -n $seq && $part != snapshot ]]; then cursor=${cursor%:*}:$seq; fi
        # An update may have several events: all but the last have `more`.
        [[ -z $is_live || -n $part ]] || show
    done < <(lines)
    sleep 0.2
done
