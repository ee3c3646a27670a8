#!/bin/sh
# Brings what mosquitto reads (its certificate, the revocation list) up to date with what the cloud wrote.
# --restart: and restarts mosquitto when something changed. A restart and not a reload: a reload (SIGHUP) takes a new revocation list for
# new connections alone, and one that a revoked certificate already has would stay open. The edges are back within seconds, and
# what happens meanwhile waits on their disks.
set -eu
umask 077

data=${VIGIA_DATA_DIR:-/var/lib/vigia}
target=${VIGIA_MOSQUITTO_DIR:-/etc/mosquitto/vigia}
group=${VIGIA_MOSQUITTO_GROUP:-mosquitto}

# True when something was different. Each file is replaced in one step: mosquitto may read at any moment.
copy_changed() {
  changed=1
  for file in broker/tls/ca.pem broker/tls/key.pem broker/tls/cert.pem pki/crl.pem; do
    copy=$target/${file##*/}
    cmp -s "$data/$file" "$copy" && continue
    install -m 0640 -g "$group" "$data/$file" "$copy.novo"
    mv -f "$copy.novo" "$copy"
    changed=0
  done
  return "$changed"
}

install -d -m 0750 -g "$group" "$target"
if [ "${1:-}" != --restart ]; then
  copy_changed || true
  exit 0
fi
# Again, in case of a change during the restart.
while copy_changed; do systemctl restart mosquitto.service; done
