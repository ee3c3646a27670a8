#!/bin/sh
# Asks each replica for /readyz every second and lists the ready ones for nginx, which has no active checks of its own.
# A replica answers 503 there for VIGIA_DRENAGEM_S before it stops, so that nginx sends it nothing when its port closes.
# Use: vigia-nginx-check FILE ADDRESS…   (FILE: the include of the upstream)
set -eu
file=$1
shift
reload=${VIGIA_NGINX_RELOAD:-nginx -s reload}
wait_s=${VIGIA_NGINX_CHECK_S:-1}

# list: one line for each replica. False if none is ready: then the former list stays, because the check itself may be
# at fault.
list() {
  some=''
  lines=''
  for address; do
    down=' down'
    if curl --silent --fail --output /dev/null --max-time 2 "http://$address/readyz"; then
      down=''
      some=1
    fi
    lines="${lines}server $address max_fails=2 fail_timeout=2s$down;
"
  done
  printf '%s' "$lines"
  [ -n "$some" ]
}

while :; do
  if ! list "$@" >"$file.novo" || cmp -s "$file.novo" "$file"; then
    rm -f "$file.novo"
  else
    mv -f "$file.novo" "$file"
    $reload || printf 'nginx não recarregou a lista de réplicas.\n' >&2
  fi
  sleep "$wait_s"
done
