#!/bin/sh
# Installs or updates the edge agent on a plain Debian, as a systemd service, from this copy of the repository.
# DESTDIR=FOLDER: puts everything below that folder (an image that is being made) and starts nothing.
set -eu

origin=$(cd "$(dirname "$0")/../.." && pwd)
dest=${DESTDIR:+$(realpath -m "$DESTDIR")}
. "$origin/deploy/program.sh"

usage() {
  cat <<'END'
Instala o agente edge do Vigia neste Debian, como serviço, ou atualiza o que já está instalado.

  sudo firmware-images/debian/install-edge.sh --central https://vigia.exemplo.com.br

  --central URL    endereço da central; só é preciso na primeira vez
  --codigo CÓDIGO  código de ativação. Sem esta opção ele é perguntado, ou lido da entrada, o que é melhor: a linha
                   de comando é visível a todos os usuários desta máquina
END
}

# read_code TEXT: sets code, as the central reads it: case, spaces and dashes do not count, O is 0, I and L are 1.
read_code() {
  code=$(printf '%s' "$1" | tr -d ' \t\r-' | tr 'a-z' 'A-Z' | tr 'OIL' '011')
  case $code in
    *[!0-9A-HJKMNP-TV-Z]*)
      fail 'O código de ativação tem só letras e números, sem a letra U. Confira-o e rode este script outra vez.'
      ;;
  esac
  [ ${#code} -eq 16 ] ||
    fail 'O código de ativação tem 16 letras e números (XXXX-XXXX-XXXX-XXXX). Confira-o e rode este script outra vez.'
}

central=''
code=''
while [ $# -gt 0 ]; do
  case $1 in
    --central | --codigo) [ $# -ge 2 ] && [ -n "$2" ] || fail "Falta o valor depois de $1." ;;
    -h | --help | --ajuda) usage && exit 0 ;;
    *) fail "Opção desconhecida: $1. Veja: install-edge.sh --ajuda" ;;
  esac
  case $1 in
    --central) central=$2 ;;
    --codigo) read_code "$2" ;;
  esac
  shift 2
done

base=$dest/opt/vigia-edge
settings=$dest/etc/vigia-edge
state=$dest/var/lib/vigia-edge
identity=$state/identidade/identidade.json

case $central in
  *[!][A-Za-z0-9._~:/%-]*)
    fail 'O endereço da central tem letras que não cabem em um endereço. Exemplo: https://vigia.exemplo.com.br'
    ;;
  https://?* | http://127.0.0.1 | http://127.0.0.1[:/]* | http://localhost | http://localhost[:/]*) ;;
  '') [ -e "$settings/edge.env" ] || fail 'Diga o endereço da central: --central https://vigia.exemplo.com.br' ;;
  *) fail 'O endereço da central precisa começar com https:// (o código de ativação não viaja aberto).' ;;
esac

check_machine firmware-images/debian/install-edge.sh
if [ -n "$dest" ]; then
  [ -z "$code" ] || fail 'Com DESTDIR não há edge a ativar: dê o código na máquina em que ele vai rodar.'
elif [ -e "$identity" ]; then
  [ -z "$code" ] ||
    printf '%s (%s).\n' 'Este edge já foi ativado: o código só será usado se a central não o aceitar mais' \
      'certificado vencido ou revogado' >&2
elif [ -z "$code" ]; then
  # A code that an earlier run left still waits for the central; Enter keeps it.
  if [ -t 0 ]; then printf 'Código de ativação desta caixa (XXXX-XXXX-XXXX-XXXX): ' >&2; fi
  read -r typed || true
  [ -n "$typed" ] || [ -s "$settings/codigo" ] ||
    fail 'Falta o código de ativação. Crie um na central (POST /api/v1/edges) e rode este script outra vez.'
  [ -z "$typed" ] || read_code "$typed"
fi

printf '1/4 Copiando o programa para %s\n' "$base"
begin_installation "$base"
copy_component edge

printf '2/4 Baixando os pacotes (alguns minutos na primeira vez)\n'
ensure_npm
fetch_packages "$stage" --omit=dev
keep_version "$base" edge

printf '3/4 Gravando a configuração\n'
# The settings are not below the state folder, which belongs to the service. Root must not write through a link of it.
install -d -m 0755 "$settings"
install -d -m 0755 "$dest/var/lib"
if [ -z "$dest" ]; then
  getent passwd vigia-edge >/dev/null ||
    useradd --system --home-dir /var/lib/vigia-edge --no-create-home --shell /usr/sbin/nologin vigia-edge
fi
if [ -n "$central" ]; then
  # Only this line changes: the others are the owner's.
  (
    umask 077
    if [ -e "$settings/edge.env" ]; then sed '/^VIGIA_CLOUD_URL=/d' "$settings/edge.env"; fi >"$settings/edge.env.novo"
    printf 'VIGIA_CLOUD_URL=%s\n' "$central" >>"$settings/edge.env.novo"
  )
  mv "$settings/edge.env.novo" "$settings/edge.env"
fi
if [ -n "$code" ]; then
  (umask 077 && printf '%s\n' "$code" >"$settings/codigo.novo")
  chgrp vigia-edge "$settings/codigo.novo"
  chmod 0640 "$settings/codigo.novo"
  mv "$settings/codigo.novo" "$settings/codigo"
fi

if [ -n "$dest" ]; then
  use_version "$base" "$version" firmware-images/debian
  drop_versions "$base" "$version"
  printf '4/4 DESTDIR dado: serviço copiado, não iniciado.\n'
  exit 0
fi

printf '4/4 Iniciando\n'
before=$(stat -c %i "$identity" 2>/dev/null || true)
switch_version "$base" "$version" firmware-images/debian vigia-edge.service

if [ "$(timedatectl show --property=NTP --value)" != yes ]; then
  printf 'Atenção: esta máquina não acerta o relógio sozinha. Rode: apt-get install systemd-timesyncd\n' >&2
fi
# The identity is replaced in one step, so that a new one is another file. An activated program reads a code only
# after a quarter of a minute without a connection.
waits() {
  [ -e "$identity" ] || return 0
  [ -n "$code" ] && [ "$(stat -c %i "$identity")" = "$before" ]
}
second=0
while waits && [ "$second" -lt 45 ]; do
  sleep 1
  second=$((second + 1))
done
if [ -e "$identity" ]; then
  rm -f "$settings/codigo"
  printf 'Pronto: edge ativado e em execução. Acompanhe com: journalctl -fu vigia-edge\n'
else
  printf '%s %s\n' 'O serviço está em execução, mas a central ainda não o ativou.' \
    'Veja a causa com: journalctl -u vigia-edge' >&2
  printf 'Se o código foi recusado ou venceu, gere outro na central e rode este script outra vez.\n' >&2
fi
