#!/bin/sh
# Instala o agente edge do Vigia em um Debian comum, como serviço systemd, a partir desta cópia do repositório.
#   sudo firmware-images/debian/install-edge.sh --central https://vigia.exemplo.com.br --codigo XXXX-XXXX-XXXX-XXXX
# O código de ativação é criado no painel ou na API (POST /api/v1/edges) e vale uma vez, por 24 horas.
# Rodar outra vez atualiza o programa; identidade, fila e configuração ficam.
set -eu

falhar() { printf '%s\n' "$1" >&2; exit 1; }
origem=$(cd "$(dirname "$0")/../.." && pwd)
raiz=${DESTDIR:-}
central=''
codigo=''
while [ $# -gt 0 ]; do
  case $1 in
    --central) central=${2:-}; shift 2 || falhar 'Falta o endereço depois de --central.' ;;
    --codigo) codigo=${2:-}; shift 2 || falhar 'Falta o código depois de --codigo.' ;;
    *) falhar "Opção desconhecida: $1. Use --central URL e --codigo CÓDIGO." ;;
  esac
done

if [ -z "$raiz" ]; then
  [ "$(id -u)" = 0 ] || falhar 'Rode como root: sudo firmware-images/debian/install-edge.sh …'
  [ -d /run/systemd/system ] || falhar 'Esta máquina não usa systemd. Instale em um Debian 12 ou mais novo.'
fi
case $(uname -m) in
  x86_64 | aarch64) ;;
  *) falhar "Processador $(uname -m) não suportado. Use uma máquina de 64 bits x86 ou ARM." ;;
esac
env="$raiz/etc/vigia-edge/edge.env"
[ -e "$env" ] || [ -n "$central" ] || falhar 'Diga o endereço da central: --central https://vigia.exemplo.com.br'
case $central in
  '' | https://* | http://127.0.0.1:* | http://localhost:*) ;;
  *) falhar 'O endereço da central precisa começar com https:// (o código de ativação não viaja aberto).' ;;
esac
command -v npm >/dev/null || {
  [ -z "$raiz" ] || falhar 'Falta o npm.'
  printf 'Instalando o npm\n'
  apt-get update -q >/dev/null && apt-get install -y -q --no-install-recommends npm >/dev/null ||
    falhar 'Não foi possível instalar o npm. Confira a internet e rode: apt-get install npm'
}

printf '1/4 Copiando o programa para %s/opt/vigia-edge\n' "$raiz"
"$origem/firmware-images/debian/copy-program.sh" "$origem" "$raiz/opt/vigia-edge" apps/edge firmware-images

printf '2/4 Instalando dependências (alguns minutos na primeira vez)\n'
cd "$raiz/opt/vigia-edge"
# No package of the edge needs an install script; two of them would fetch things that are not needed.
npm ci --ignore-scripts --omit=dev --no-audit --no-fund --loglevel=error -w apps/edge --include-workspace-root
[ -x node_modules/.bin/node ] || falhar 'O Node 24 não veio com os pacotes. Rode este script outra vez com internet.'

printf '3/4 Gravando configuração e serviço\n'
install -d "$raiz/etc/systemd/system" "$raiz/var/lib"
install -d -m 0755 "$raiz/etc/vigia-edge"
if [ -n "$central" ]; then
  (umask 077 && printf 'VIGIA_CLOUD_URL=%s\n' "$central" >"$env.novo" && mv "$env.novo" "$env")
fi
install -m 0644 "$origem/firmware-images/debian/vigia-edge.service" "$raiz/etc/systemd/system/"
estado="$raiz/var/lib/vigia-edge"
if [ -z "$raiz" ]; then
  getent passwd vigia-edge >/dev/null || useradd --system --home-dir /var/lib/vigia-edge --shell /usr/sbin/nologin vigia-edge
  install -d -m 0700 -o vigia-edge -g vigia-edge "$estado"
else
  install -d -m 0700 "$estado"
fi
if [ -n "$codigo" ]; then
  (umask 077 && printf '%s\n' "$codigo" >"$estado/codigo")
  [ -n "$raiz" ] || chown vigia-edge:vigia-edge "$estado/codigo"
fi

if [ -n "$raiz" ]; then
  printf '4/4 DESTDIR dado: serviço copiado, não iniciado.\n'
  exit 0
fi
printf '4/4 Iniciando\n'
systemctl daemon-reload
systemctl enable --quiet vigia-edge
systemctl restart vigia-edge
printf 'Pronto. Acompanhe com: journalctl -fu vigia-edge\n'
