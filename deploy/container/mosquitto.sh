#!/bin/sh
# Runs mosquitto in a container. Every 30 s it updates the certificate and the revocation list (VIGIA_CRL_URL), and
# restarts mosquitto after a change. It waits until the cloud has a first list.
set -eu
VIGIA_MOSQUITTO_GROUP=$(id -g)
export VIGIA_MOSQUITTO_GROUP
target=${VIGIA_MOSQUITTO_DIR:-/etc/mosquitto/vigia}
wait_s=${VIGIA_MOSQUITTO_CHECK_S:-30}
broker=''

end() {
  [ -z "$broker" ] || kill "$broker" 2>/dev/null || true
  [ -z "$broker" ] || wait "$broker" || true
  exit 0
}
trap end TERM INT

files() { cat "$target"/ca.pem "$target"/cert.pem "$target"/key.pem "$target"/crl.pem 2>/dev/null | sha256sum; }
# A trap runs at once only while the shell waits.
pause() {
  sleep "$1" &
  wait $! || true
}

vigia-mosquitto-refresh
while [ ! -s "$target/crl.pem" ]; do
  pause 2
  vigia-mosquitto-refresh
done
while :; do
  used=$(files)
  mosquitto -c "${VIGIA_MOSQUITTO_CONF:-/etc/mosquitto/mosquitto.conf}" &
  broker=$!
  while [ "$(files)" = "$used" ]; do
    pause "$wait_s"
    # The container ends with mosquitto, so that its supervisor sees the failure.
    kill -0 "$broker" 2>/dev/null || exit 1
    vigia-mosquitto-refresh
  done
  kill "$broker"
  wait "$broker" || true
done
