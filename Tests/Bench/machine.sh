# The machine and the programs: sourced by run.

# Says on the terminal and below the table what a reader of the numbers has to know.
remark() { echo "$*" | tee -a "$remarks" >&2; }

# run_rounds COMMAND...: COMMAND once for each round; the first, to warm up, is thrown away.
run_rounds() {
  local round
  "$@" >/dev/null
  for ((round = 0; round < BENCH_ROUNDS; round++)); do "$@"; done >>"$samples"
}

# The processors' time so far in which they were busy, and all of it; waiting is not being busy.
busy_and_all() {
  awk '/^cpu /{ all = $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9; print all - $5 - $6, all }' /proc/stat
}

# check_idleness WHEN: says so if the numbers are not to be trusted.
check_idleness() {
  local busy all later_busy later_all share
  read -r busy all < <(busy_and_all)
  sleep 2
  read -r later_busy later_all < <(busy_and_all)
  share=$((100 * (later_busy - busy) / (later_all - all)))
  if [ "$share" -gt 10 ]; then
    remark "The machine was busy with other things $1 ($share %): times are longer than they are."
  fi
}

# compile NAME FLAG...: the program in C of that name.
compile() {
  cc -O2 -Wall -Wextra -Werror -o "$bin/$1" "$bench/C/$1.c" "${@:2}"
}

build_programs() {
  local name
  mkdir -p "$bin"
  for name in spawn replace hear rename; do compile "$name"; done
  for name in print-token read-loop; do
    compile "$name" "$bench/C/snapshot.c" -static -s -lsodium -ljansson
  done
  if [ -e /usr/include/oidc-agent/api.h ]; then compile agent-loop -loidc-agent; fi
  swift build --quiet --package-path "$root" --scratch-path "$build" -c release \
    --product TokenVaultBench
  # As `make install` installs it.
  strip -o "$bin/tokenvault" "$root/.build/static/release/tokenvault"
  cp "$root/.build/host/release/tokenvault-host" "$bin/tokenvault-host"
}
