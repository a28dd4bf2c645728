# The built program with a fresh calendar on a free port, for checks from outside. For `source`.
#
# `build_service` builds it. `start_service FLAGS` starts it and sets `address` and `token` (of an administrator). At the exit
# of the shell it stops, and the folder `work` goes.

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

server=
stop_service() {
    [[ -z $server ]] || kill "$server" 2>/dev/null || true
    wait
    [[ -z ${work:-} ]] || rm -rf "$work"
}

build_service() {
    program=$(.ci/program)
    work=$(mktemp -d)
    trap stop_service EXIT
    export EVENTS_CALENDAR_DATABASE_URL=sqlite://$work/calendar.db
}

start_service() {
    : >"$work/server.log"
    (cd "$work" && exec "$program" serve --listen 127.0.0.1:0 "$@") >"$work/server.log" 2>&1 &
    server=$!
    for _ in {1..100}; do
        address=$(sed -n 's/.*listening on \([0-9.:]*\)$/\1/p' "$work/server.log")
        [[ -z $address ]] || break
        kill -0 "$server" 2>/dev/null || fail "the program does not start: $(<"$work/server.log")"
        sleep 0.1
    done
    [[ -n $address ]] || fail "the program does not say where it listens: $(<"$work/server.log")"
    token=$(cd "$work" && "$program" token create --user admin --name check)
}
