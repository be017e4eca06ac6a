# The provider, the account at the host and the peers' accounts: sourced by run.

hosts=() providers=() agents=() keyring=

free_port() {
  python3 -c 'import socket
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    print(free.getsockname()[1])'
}

stop_all() {
  local directory
  if [ ${#hosts[@]} != 0 ]; then kill "${hosts[@]}" 2>/dev/null || true; fi
  if [ ${#agents[@]} != 0 ]; then kill "${agents[@]}" 2>/dev/null || true; fi
  if [ -n "$keyring" ]; then kill "$keyring" 2>/dev/null || true; fi
  for directory in "${providers[@]}"; do "$root/Tests/Providers/glewlwyd" stop "$directory"; done
  if [ ${#hosts[@]} != 0 ]; then wait "${hosts[@]}" 2>/dev/null || true; fi
  hosts=() providers=() agents=() keyring=
}

# start_account NAME LIFETIME [CONFIGURATION]: Glewlwyd with access tokens of so many seconds, a
# host, and a session that somebody has just signed in to.
start_account() {
  local name=$1 lifetime=$2 more=${3:-} port
  provider=$work/$name-provider
  mkdir "$provider"
  port=$(free_port)
  redirect=http://127.0.0.1:$port/callback
  PORT=$(free_port) ACCESS_TOKEN_LIFETIME=$lifetime REFRESH_TOKEN_LIFETIME=360000 \
    REDIRECTS=$redirect "$root/Tests/Providers/glewlwyd" start "$provider" >"$work/ready"
  providers+=("$provider")
  issuer=$(sed 's/^ready //' "$work/ready")

  export TOKENVAULT_RUNTIME_DIR=$fast/$name TOKENVAULT_STATE_DIR=$work/$name-state \
    TOKENVAULT_KEY_DIR=$work/$name-keys TOKENVAULT_CONFIG=$work/$name.toml
  printf '[namespaces.primary]\nissuer = "%s"\nclientId = "desktop"\nredirect = "%s"\n%s\n%s\n' \
    "$issuer" "$redirect" 'scopes = ["openid", "profile", "offline_access"]' "$more" \
    >"$TOKENVAULT_CONFIG"
  "$bin/tokenvault-host" >"$work/$name-host.log" 2>&1 &
  host=$!
  hosts+=("$host")
  for _ in {1..200}; do
    [ -S "$TOKENVAULT_RUNTIME_DIR/host.sock" ] && break
    sleep 0.02
  done
  BROWSER=$root/Tests/Providers/person "$bin/tokenvault" sign-in primary --flow browser \
    >"$work/sign-in.log" 2>&1 || { cat "$work/sign-in.log" "$work/$name-host.log" >&2; exit 1; }
}

# Signs a person in without a browser and prints a refresh token of the confidential client.
refresh_token() {
  local verifier challenge url code
  verifier=$(openssl rand -hex 32)
  challenge=$(printf %s "$verifier" | openssl dgst -sha256 -binary | base64 | tr '+/' '-_')
  url="$issuer/auth?response_type=code&client_id=confidential&redirect_uri=$redirect"
  url+="&scope=openid%20profile%20offline_access&state=s&nonce=n"
  url+="&code_challenge=${challenge%=}&code_challenge_method=S256"
  code=$("$root/Tests/Providers/person" --no-deliver "$url" | sed 's/.*[?&]code=\([^&]*\).*/\1/')
  curl -sf -u confidential:client-secret "$issuer/token" -d grant_type=authorization_code \
    -d redirect_uri="$redirect" -d code_verifier="$verifier" -d code="$code" |
    jq -r .refresh_token
}

# Gives the peers what they need; those that are missing are named below the table.
start_peers() {
  has_secret_tool= has_inotifywait=
  if command -v inotifywait >/dev/null; then has_inotifywait=1; fi
  start_oidc_peer
  if command -v secret-tool >/dev/null && command -v gnome-keyring-daemon >/dev/null &&
    start_keyring; then
    has_secret_tool=1
  fi
}

start_oidc_peer() {
  has_oidc_agent=
  if command -v oidc-agent >/dev/null && start_oidc_agent; then has_oidc_agent=1; fi
}

start_oidc_agent() {
  export OIDC_CONFIG_DIR=$provider/oidc-agent
  mkdir "$OIDC_CONFIG_DIR"
  eval "$(oidc-agent -a "$provider/oidc-agent.sock" | grep -v ^echo)"
  agents+=("$OIDCD_PID")
  # For a public client it sends "Basic id:", which Glewlwyd refuses.
  oidc-gen -m --issuer="$issuer" --client-id=confidential --client-secret=client-secret \
    --rt="$(refresh_token)" --scope='openid profile offline_access' \
    --redirect-uri=http://localhost:8080 \
    --pw-cmd='echo password' --prompt=none --confirm-default bench \
    </dev/null >"$work/oidc-gen.log" 2>&1 && oidc-token bench >/dev/null ||
    { remark "oidc-agent could not be set up: $(tail -1 "$work/oidc-gen.log")"; return 1; }
}

# A session bus and an unlocked keyring of its own, with the access token in it.
start_keyring() {
  local bus=$provider/bus
  command -v dbus-daemon >/dev/null || return 1
  export HOME=$provider XDG_DATA_HOME=$provider/data XDG_RUNTIME_DIR=$provider
  keyring=$(dbus-daemon --session --fork --nopidfile --print-pid --address="unix:path=$bus")
  export DBUS_SESSION_BUS_ADDRESS=unix:path=$bus
  {
    printf password | gnome-keyring-daemon --unlock --components=secrets >/dev/null &&
      "$bin/tokenvault" token | tr -d '\n' |
      timeout 10 secret-tool store --label=bench service bench
  } 2>"$work/keyring.log" ||
    { remark "The keyring could not be set up: $(tail -1 "$work/keyring.log")"; return 1; }
}
