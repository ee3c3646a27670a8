#!/bin/sh
# Starts a replica in a container, or with `preparar` creates the keys of the installation and of its broker.
# A new data folder gets the CA from /semente/pki, if that is mounted. Afterwards the database has it. If /midia is
# mounted, pictures and clips go there: all replicas need the same ones.
set -eu
umask 077
data=${VIGIA_DATA_DIR:-/var/lib/vigia}
seed=${1:-/semente/pki}
media=${2:-/midia}
node=node_modules/.bin/node

if [ "$seed" = preparar ]; then exec "$node" apps/cloud/src/prepare.ts; fi
if [ -e "$seed/ca.key" ] && [ ! -e "$data/pki/ca.key" ]; then
  mkdir -p "$data/pki"
  cp "$seed/ca.pem" "$seed/ca.key" "$data/pki/"
fi
if [ -d "$media" ] && [ ! -e "$data/cloud/media" ]; then
  mkdir -p "$data/cloud"
  ln -s "$media" "$data/cloud/media"
fi
# With SQLite nothing else creates the keys.
[ -n "${VIGIA_BANCO:-}" ] || "$node" apps/cloud/src/prepare.ts
exec "$node" apps/cloud/src/main.ts
