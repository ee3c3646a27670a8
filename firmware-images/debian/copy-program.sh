#!/bin/sh
# Copia para DESTINO o que um programa do Vigia precisa: os apps dados, os pacotes e o que o npm lê.
#   copy-program.sh ORIGEM DESTINO apps/edge …
set -eu
origem=$1
destino=$2
shift 2
install -d "$destino/apps" "$destino/packages"
# O npm confere o package-lock.json com todos os workspaces, por isso o package.json de cada um vai junto.
for manifesto in "$origem"/apps/*/package.json "$origem"/packages/*/package.json; do
  pasta=${manifesto%/package.json}
  install -D -m 0644 "$manifesto" "$destino/${pasta#"$origem"/}/package.json"
done
install -m 0644 "$origem/package.json" "$origem/package-lock.json" "$destino/"
for parte in packages "$@"; do
  (cd "$origem" && tar --exclude=node_modules --exclude=dist --exclude='*.test.ts' --exclude=.turbo -cf - "$parte") |
    (cd "$destino" && tar --no-same-owner -xf -)
done
