# The measurements, each a row or two of the table: sourced by run.

# Runs a measurement; one that fails leaves its row without a number, not the others.
attempt() { "$@" || echo "bench: failed: $*" >&2; }

tokens_each_round() {
  attempt "$bin/spawn" token-floor 20 1 "$bin/print-token"
  attempt "$bin/spawn" token 20 1 "$bin/tokenvault" token
  if [ -n "$has_oidc_agent" ]; then
    attempt "$bin/spawn" token-oidc-token 20 1 oidc-token bench
  fi
  if [ -n "$has_secret_tool" ]; then
    attempt "$bin/spawn" token-secret-tool 5 1 secret-tool lookup service bench
  fi
}
measure_printing() { run_rounds tokens_each_round; }

reads_each_round() {
  attempt env TOKENVAULT_RUNTIME_DIR="$fast/made" "$inside" read 50
  attempt env TOKENVAULT_RUNTIME_DIR="$fast/made" "$bin/read-loop" 50
  if [ -n "$has_oidc_agent" ] && [ -x "$bin/agent-loop" ]; then
    attempt "$bin/agent-loop" read-liboidc-agent 50 bench
  fi
}
measure_reading() { run_rounds reads_each_round; }

publications_each_round() {
  attempt env TOKENVAULT_RUNTIME_DIR="$fast/made" "$inside" publish 50
  attempt "$bin/replace" publish-floor 50 "$fast" "$length"
}
measure_publication() {
  length=$(TOKENVAULT_RUNTIME_DIR=$fast/made "$inside" publish 1 | awk '/length/{ print $2 + 0 }')
  run_rounds publications_each_round
}

renames() { attempt "$bin/rename" "$1" 50 1 2000 "$heard" "$fast/frames" "${@:2}"; }
hearings_each_round() {
  renames hear-floor "$bin/hear" raw "$heard"
  renames callback "$inside" callback "$heard"
  TOKENVAULT_RUNTIME_DIR=$fast/made renames sequence "$inside" sequence
  if [ -n "$has_inotifywait" ]; then renames hear-inotifywait "$bin/hear" tool "$heard"; fi
}
measure_hearing() {
  heard=$fast/made/groups/default/ns/primary
  TOKENVAULT_RUNTIME_DIR=$fast/made "$inside" prepare "$fast/frames" $((BENCH_REST + 51))
  run_rounds hearings_each_round
  # A hundred widgets as "tokenvault watch" is one, and a publication a second.
  attempt env TOKENVAULT_RUNTIME_DIR="$fast/made" "$bin/rename" crowd "$BENCH_REST" 100 1000000 \
    "$heard" "$fast/frames" "$inside" monitor >>"$samples"
}

# refresh_by_curl SERIES: one refresh, as fast as the provider answers; rotates $work/refresh.
refresh_by_curl() {
  local answer
  answer=$(curl -sf -w '\n%{time_total}' -u confidential:client-secret "$issuer/token" \
    -d grant_type=refresh_token -d refresh_token="$(<"$work/refresh")")
  head -1 <<<"$answer" | jq -r .refresh_token >"$work/refresh"
  awk -v series="$1" '{ print series, $1 * 1e6 }' <<<"$(tail -1 <<<"$answer")"
}
renewals_each_round() {
  # The host renews tokens that live two seconds once a second on demand, no sooner.
  sleep 1.1
  refresh_by_curl renew-floor
  attempt "$bin/spawn" renew 1 1 "$bin/tokenvault" renew primary
  if [ -n "$has_oidc_agent" ]; then
    attempt "$bin/spawn" renew-oidc-token 1 1 oidc-token -f bench
  fi
}
measure_renewal() {
  refresh_token >"$work/refresh"
  run_rounds renewals_each_round
}

# Refreshes that the provider has answered with new tokens.
refreshes() { grep -c 'Refresh token generated' "$provider/glewlwyd.log" || true; }

# eight SERIES COMMAND...: eight callers at once, and how often the provider was asked for them.
eight() {
  local before
  before=$(refreshes)
  attempt "$bin/spawn" "$1" 1 8 "${@:2}"
  echo "$1-requests $(($(refreshes) - before))"
}
expiries_each_round() {
  # The tokens live two seconds, and nobody has renewed them.
  sleep 2.5
  refresh_by_curl eight-floor
  eight eight "$bin/tokenvault" token
  if [ -n "$has_oidc_agent" ]; then eight eight-oidc-token oidc-token bench; fi
}
measure_expiry() {
  refresh_token >"$work/refresh"
  run_rounds expiries_each_round
}

wakeups() { cat "/proc/$1"/task/*/status | awk '/^voluntary/{ sum += $2 } END { print sum }'; }
anonymous_megabytes() { awk '/^Anonymous:/{ print $2 / 1024 }' "/proc/$1/smaps_rollup"; }

# Host, watcher and oidc-agent at rest, all at the same time.
measure_rest() {
  local -A process=([host]=$host) before=()
  local name number
  "$bin/tokenvault" watch >"$work/watch.log" &
  process[watcher]=$!
  hosts+=("${process[watcher]}")
  if [ -n "$has_oidc_agent" ]; then process[oidc-agent]=$OIDCD_PID; fi
  # What they did last is to be over: threads that have nothing more to do end after five seconds.
  sleep 8
  for name in "${!process[@]}"; do
    if kill -0 "${process[$name]}" 2>/dev/null; then
      before[$name]=$(wakeups "${process[$name]}")
    else
      echo "bench: no $name is running" >&2
    fi
  done
  sleep "$BENCH_REST"
  for name in "${!before[@]}"; do
    number=${process[$name]}
    echo "memory-$name $(anonymous_megabytes "$number")"
    awk -v name="$name" -v count="$(($(wakeups "$number") - before[$name]))" \
      -v rest="$BENCH_REST" 'BEGIN { print "wakeups-" name, count * 60 / rest }'
  done >>"$samples"
}
