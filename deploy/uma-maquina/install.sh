#!/bin/sh
# Instala broker e central do Vigia nesta máquina (Debian 12 ou mais novo, systemd), a partir desta cópia do repositório.
#   sudo deploy/uma-maquina/install.sh
# Rodar outra vez atualiza; os dados em /var/lib/vigia e a configuração em /etc/vigia não são tocados.
set -eu

falhar() { printf '%s\n' "$1" >&2; exit 1; }
origem=$(cd "$(dirname "$0")/../.." && pwd)
raiz=${DESTDIR:-}

if [ -z "$raiz" ]; then
  [ "$(id -u)" = 0 ] || falhar 'Rode como root: sudo deploy/uma-maquina/install.sh'
  [ -d /run/systemd/system ] || falhar 'Esta máquina não usa systemd. Instale em um Debian 12 ou mais novo.'
fi
command -v npm >/dev/null || falhar 'Falta o npm. Instale-o com: apt-get install -y nodejs npm'

printf '1/4 Copiando o programa para %s/opt/vigia\n' "$raiz"
"$origem/firmware-images/debian/copy-program.sh" "$origem" "$raiz/opt/vigia" apps/broker apps/cloud apps/dashboard

printf '2/4 Instalando dependências e construindo o painel (alguns minutos na primeira vez)\n'
cd "$raiz/opt/vigia"
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error -w apps/broker -w apps/cloud -w apps/dashboard
(cd apps/dashboard && PATH="$raiz/opt/vigia/node_modules/.bin:$PATH" vite build --logLevel error)

printf '3/4 Instalando os serviços\n'
install -d "$raiz/etc/systemd/system"
install -d -m 0750 "$raiz/etc/vigia"
install -m 0644 "$origem/deploy/uma-maquina/vigia-prepare.service" "$origem/deploy/uma-maquina/vigia-broker.service" \
  "$origem/deploy/uma-maquina/vigia-cloud.service" "$raiz/etc/systemd/system/"
[ -e "$raiz/etc/vigia/vigia.env" ] || install -m 0640 "$origem/deploy/uma-maquina/vigia.env.exemplo" "$raiz/etc/vigia/vigia.env"

if [ -n "$raiz" ]; then
  printf '4/4 DESTDIR dado: serviços copiados, não iniciados.\n'
  exit 0
fi
printf '4/4 Iniciando\n'
getent passwd vigia >/dev/null || useradd --system --home-dir /var/lib/vigia --shell /usr/sbin/nologin vigia
chgrp vigia /etc/vigia /etc/vigia/vigia.env
systemctl daemon-reload
systemctl enable --quiet vigia-broker vigia-cloud
systemctl restart vigia-prepare vigia-broker vigia-cloud
printf 'Pronto: http://127.0.0.1:8080 (só nesta máquina; para a rede, veja o Caddyfile ao lado deste script)\n'
printf 'Operador: admin   Senha: sudo cat /var/lib/vigia/cloud/senha-inicial\n'
