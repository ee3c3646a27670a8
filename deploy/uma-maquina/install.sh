#!/bin/sh
# Installs or updates broker and cloud on this machine (Debian, systemd), from this copy of the repository.
# DESTDIR=FOLDER: puts everything below that folder (an image that is being made) and starts nothing.
set -eu

origin=$(cd "$(dirname "$0")/../.." && pwd)
dest=${DESTDIR:+$(realpath -m "$DESTDIR")}
. "$origin/deploy/program.sh"

case ${1:-} in
  '') ;;
  -h | --help | --ajuda)
    printf 'Instala broker e central do Vigia nesta máquina, ou atualiza os que já estão instalados. Sem opções.\n\n'
    printf '  sudo deploy/uma-maquina/install.sh\n'
    exit 0
    ;;
  *) fail "Opção desconhecida: $1. Este script não tem opções; os ajustes ficam em /etc/vigia/vigia.env." ;;
esac

base=$dest/opt/vigia
settings=$dest/etc/vigia

check_machine deploy/uma-maquina/install.sh

printf '1/4 Copiando o programa para %s\n' "$base"
begin_installation "$base"
copy_component central
copy_dashboard

printf '2/4 Baixando os pacotes e construindo o painel (alguns minutos na primeira vez)\n'
ensure_npm
fetch_packages "$work/painel"
(cd "$work/painel/apps/dashboard" && PATH="$work/painel/node_modules/.bin:$PATH" vite build --logLevel error) ||
  fail 'Não foi possível construir o painel (a causa está acima). Nada foi mudado.'
# The builder of the dashboard is not needed to serve it.
install -d -m 0755 "$stage/apps/dashboard"
mv "$work/painel/apps/dashboard/dist" "$stage/apps/dashboard/dist"
fetch_packages "$stage" --omit=dev
keep_version "$base" central

printf '3/4 Gravando a configuração\n'
install -d -m 0755 "$settings" "$dest/var/lib"
# The first operator's password may stand in it: systemd reads it, as root; nobody else needs to.
[ -e "$settings/vigia.env" ] || install -m 0600 "$origin/deploy/uma-maquina/vigia.env.exemplo" "$settings/vigia.env"

install -d -m 0755 "$dest/usr/local/bin"
ln -sfn /opt/vigia/atual/deploy/uma-maquina/vigia "$dest/usr/local/bin/vigia"

if [ -n "$dest" ]; then
  use_version "$base" "$version" deploy/uma-maquina
  drop_versions "$base" "$version"
  printf '4/4 DESTDIR dado: serviços copiados, não iniciados.\n'
  exit 0
fi

printf '4/4 Iniciando\n'
getent passwd vigia >/dev/null ||
  useradd --system --home-dir /var/lib/vigia --no-create-home --shell /usr/sbin/nologin vigia
switch_version "$base" "$version" deploy/uma-maquina \
  vigia-prepare.service vigia-broker.service vigia-cloud.service vigia-renew.timer
port=$(sed -n 's/^PORT=//p' "$settings/vigia.env" | tail -n 1)
printf 'Pronto: http://127.0.0.1:%s (só nesta máquina; para a rede, veja deploy/README.md)\n' "${port:-8080}"
if [ -e /var/lib/vigia/cloud/senha-inicial ]; then
  printf 'Operador: admin   Senha: sudo cat /var/lib/vigia/cloud/senha-inicial\n'
fi
