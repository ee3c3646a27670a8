#!/bin/sh
# Updates the files that mosquitto reads: its certificate and the revocation list.
# --restart: restarts mosquitto after a change. A reload (SIGHUP) would apply a new revocation list to new connections
# only, so that a revoked edge would stay connected. Edges reconnect within seconds and keep their events meanwhile.
# VIGIA_CRL_URL: address of the list at the cloud (https://…/pki/crl.pem). Without it, the list is read from the data
# folder of a cloud on this machine.
set -eu
umask 077

data=${VIGIA_DATA_DIR:-/var/lib/vigia}
target=${VIGIA_MOSQUITTO_DIR:-/etc/mosquitto/vigia}
group=${VIGIA_MOSQUITTO_GROUP:-mosquitto}
url=${VIGIA_CRL_URL:-}
status=0

# replace_changed FILE COPY: whether they differed. The copy is replaced in one step, because mosquitto may read it now.
replace_changed() {
  ! cmp -s "$1" "$2" || return 1
  install -m 0640 -g "$group" "$1" "$2.novo" && mv -f "$2.novo" "$2"
}

# fetch_list: whether the cloud had a new list. A list that the CA did not sign is refused.
fetch_list() {
  fetched=$target/crl.baixada
  rm -f "$fetched"
  set -- --silent --show-error --fail --max-time 20 --max-filesize 16777216 --output "$fetched" \
    --etag-save "$target/crl.etag.novo"
  if [ -s "$target/crl.pem" ] && [ -s "$target/crl.etag" ]; then set -- "$@" --etag-compare "$target/crl.etag"; fi
  if ! curl "$@" "$url"; then
    printf 'Lista de revogação não recebida de %s; continua a anterior.\n' "$url" >&2
    status=1
    return 1
  fi
  # 304: unchanged.
  [ -s "$fetched" ] || return 1
  if ! openssl crl -in "$fetched" -CAfile "$target/ca.pem" -noout 2>&1 | grep -q '^verify OK'; then
    printf 'O que %s respondeu não é a lista de revogação desta instalação; continua a anterior.\n' "$url" >&2
    status=1
    return 1
  fi
  changed=1
  replace_changed "$fetched" "$target/crl.pem" && changed=0
  mv -f "$target/crl.etag.novo" "$target/crl.etag"
  return "$changed"
}

# copy_changed: whether anything was different.
copy_changed() {
  any=1
  for name in ca key cert; do
    if replace_changed "$data/broker/tls/$name.pem" "$target/$name.pem"; then any=0; fi
  done
  if [ -n "$url" ]; then
    if fetch_list; then any=0; fi
  elif replace_changed "$data/pki/crl.pem" "$target/crl.pem"; then
    any=0
  fi
  return "$any"
}

# In a container the folder is a mount of another owner.
[ -d "$target" ] || install -d -m 0750 -g "$group" "$target"
if [ "${1:-}" != --restart ]; then
  copy_changed || true
  # Without the cloud mosquitto starts with the list that it has, until that list expires.
  exit 0
fi
# Again, in case of a change during the restart.
while copy_changed; do systemctl restart mosquitto.service; done
exit "$status"
