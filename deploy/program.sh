# shellcheck shell=sh disable=SC2086,SC2154
# Shell functions that put the programs of Vigia on a Debian machine. The install scripts read this file with `.`.
# They set `origin` (the repository) and `dest` (DESTDIR: an image that is being made, or empty: this machine).
#
#   BASE/versoes/VERSION/   a program with its packages, complete, never changed again
#   BASE/atual              link to the version in use
#
# An update is another folder and one rename of the link. Running programs keep the files from which they were started.
# An update that fails, at any point, leaves the former version running.

# 022 also where root's umask is stricter: the services read these files as other users.
umask 022
export LC_ALL=C

# Disk space of an installation at work, kB: the former version, the new one, npm's cache.
SPACE_KB=2000000
NPM_OPTIONS='--ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error'
# Hash of the archive of the npm that package.json names (packageManager).
NPM_SHA512=cedb312b1b7f92421a02cfb68b4194e88f8346651dacd6acc5364a25ef5309d4a32b19616a1ff8aff865e7280c0fa5c0835a99f5cd93368991e2a80ec9da75d2
# Seconds that started services must stay up before the former version is deleted.
PROOF_S=10

# fail TEXT…: the texts form one line.
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# check_machine SCRIPT: refuses a machine on which the programs cannot run. Sets node_arch.
check_machine() {
  case $(uname -s)-$(uname -m)-$(getconf LONG_BIT) in
    Linux-x86_64-64) node_arch=x64 ;;
    Linux-aarch64-64) node_arch=arm64 ;;
    *)
      fail "Sistema $(uname -s) $(uname -m) de $(getconf LONG_BIT) bits não suportado." \
        'Use um Debian de 64 bits, x86 ou ARM.'
      ;;
  esac
  [ -z "$dest" ] || return 0
  [ "$(id -u)" = 0 ] || fail "Rode como root: sudo $1 …"
  [ -d /run/systemd/system ] || fail 'Esta máquina não usa systemd. Instale em um Debian 12 ou mais novo.'
}

# begin_installation BASE: one at a time, without leftovers of an interrupted one. Sets work, a folder that is removed
# whenever the script ends, and stage, the folder in it that becomes the version.
begin_installation() {
  install -d -m 0755 "$1/versoes"
  exec 9>"$1/.instalando"
  flock -n 9 || fail 'Outra instalação está em andamento nesta máquina. Espere ela terminar.'
  rm -rf "$1"/versoes/.nova.*
  free_kb=$(df -Pk "$1" | awk 'NR == 2 { print $4 }')
  [ "$free_kb" -ge "$SPACE_KB" ] || fail "Falta espaço em $1: são precisos 2 GB livres. Nada foi mudado."
  work=$(mktemp -d "$1/versoes/.nova.XXXXXX")
  chmod 0755 "$work"
  stage=$work/programa
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' HUP INT TERM
}

# parts_of APP…: the folders of the apps and of the packages that they depend on, from their package.json.
parts_of() {
  parts=''
  while [ $# -gt 0 ]; do
    part=$1
    shift
    case " $parts " in *" $part "*) continue ;; esac
    parts="$parts $part"
    needed=$(sed -n '/^  "dependencies"/,/^  }/s|^ *"@vigia/\([a-z-]*\)".*|packages/\1|p' "$origin/$part/package.json")
    set -- "$@" $needed
  done
  printf '%s\n' $parts
}

# copy_parts FOLDER PART…: parts of the repository. Omits tests, trials, rows of documents, built and installed files,
# and these scripts. npm ignores workspaces that are absent.
copy_parts() {
  folder=$1
  shift
  install -d -m 0755 "$folder"
  # The file between the two steps lets a failure of either end the script. The copies belong to root, regardless of
  # the owner of the repository.
  tar -C "$origin" --owner=0 --group=0 --numeric-owner --mode='u=rwX,go=rX' \
    --exclude=node_modules --exclude=dist --exclude=.turbo --exclude='*.sh' --exclude='*.mjs' --exclude='*.patch' \
    --exclude=bench.ts --exclude=bench-entry.ts --exclude='*.test.ts' --exclude='*.test.tsx' --exclude=test \
    --exclude=testing --exclude=test-peer --exclude=e2e --exclude=trials --exclude=limit-rows.ts --exclude=fixtures \
    --exclude=data.txt --exclude=calibration.txt \
    -cf "$work/partes.tar" package.json package-lock.json "$@"
  tar -C "$folder" -xf "$work/partes.tar"
}

# copy_component COMPONENT: its parts of the repository into `$stage`. COMPONENT is edge or central.
copy_component() {
  case $1 in
    edge)
      copy_parts "$stage" $(parts_of apps/edge) firmware-images
      # The central verifies candidates with a second model: those models stay there.
      rm -r "$stage"/packages/models/*-mobilenetv2-300
      ;;
    central) copy_parts "$stage" $(parts_of apps/broker apps/cloud) deploy ;;
  esac
}

# copy_dashboard: the sources from which it is built, into `$work/painel`.
copy_dashboard() { copy_parts "$work/painel" $(parts_of apps/dashboard) packages/toolchain; }

# ensure_npm: uses the npm of the machine to put the npm and the Node of our lock file into `$work/npm`. The npm of the
# machine does not do the rest, because it omits every optional package that requires a newer Node than its own. The
# native parts of sharp and of the dashboard's builder are such packages.
ensure_npm() {
  if ! command -v npm >/dev/null; then
    [ -z "$dest" ] || fail 'Falta o npm. Instale-o com: apt-get install npm'
    printf 'Instalando o npm\n'
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q >/dev/null && apt-get install -y -q --no-install-recommends npm >/dev/null ||
      fail 'Não foi possível instalar o npm. Confira a internet e rode: apt-get install npm'
  fi
  npm_version=$(sed -n 's/^  "packageManager": "npm@\([0-9.]*\)".*/\1/p' "$origin/package.json")
  copy_parts "$work/npm"
  # The archive comes first: a failed download of Node is no error to npm, because it is an optional package.
  (cd "$work/npm" && npm pack $NPM_OPTIONS "npm@$npm_version" && npm ci $NPM_OPTIONS --omit=dev) >/dev/null ||
    fail_download
  printf '%s  %s\n' "$NPM_SHA512" "$work/npm/npm-$npm_version.tgz" | sha512sum --check --status ||
    fail "O npm $npm_version que a internet entregou não é o esperado. Nada foi mudado."
  tar -C "$work/npm" --no-same-owner -xzf "$work/npm/npm-$npm_version.tgz"
  # This file may set a proxy or a company's certificate authority.
  npm_config_globalconfig=$(npm config get globalconfig --loglevel=error)
  export npm_config_globalconfig
}

# fetch_packages FOLDER ARGUMENT…: exactly the packages of the lock file. No package of ours needs an install script,
# and two of them would fetch things that are not needed.
fetch_packages() {
  folder=$1
  shift
  node=$work/npm/node_modules/node-linux-$node_arch/bin/node
  (cd "$folder" && "$node" "$work/npm/package/bin/npm-cli.js" ci $NPM_OPTIONS "$@") >/dev/null || fail_download
  [ -x "$folder/node_modules/.bin/node" ] || fail_download
}

fail_download() {
  fail 'Não foi possível baixar os pacotes (a causa está acima). Confira a internet e rode este script outra vez.' \
    'Nada foi mudado.'
}

# keep_version BASE COMPONENT: makes the program in `$stage` a version. Removes files that COMPONENT never loads and
# proves that the rest can be loaded on this machine. Sets version.
keep_version() {
  "$node" "$origin/apps/release/src/keep-needed.ts" "$stage" "$2"

  # The user `nobody`, where possible, also proves that the service's user can read everything.
  as_nobody=''
  [ -n "$dest" ] || as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs'
  # shellcheck disable=SC2016
  (cd "$stage" && $as_nobody node_modules/.bin/node --input-type=module --eval '
    import { existsSync } from "node:fs"
    for (const name of ["onnxruntime-node", "sharp", "node-av/lib", "@node-rs/argon2", "better-sqlite3"]) {
      if (!existsSync(`node_modules/${name.replace("/lib", "")}`)) continue
      const { default: Loaded } = await import(name)
      if (name === "better-sqlite3") new Loaded(":memory:").close()
    }') || fail 'O programa não pode ser carregado nesta máquina (a causa está acima). Nada foi mudado.'

  version=$(sed -n 's/^  "version": "\([0-9A-Za-z.-]*\)".*/\1/p' "$stage/package.json")-$(date -u +%Y%m%dT%H%M%SZ)
  # A box that loses power after the switch must find the files it was switched to.
  sync -f "$stage"
  mv -T "$stage" "$1/versoes/$version"
}

# use_version BASE VERSION UNITS_FOLDER: makes it the one in use, with its own unit files (UNITS_FOLDER within it).
use_version() {
  ln -sfn "versoes/$2" "$1/.atual.novo"
  mv -T "$1/.atual.novo" "$1/atual"
  install -d -m 0755 "$dest/etc/systemd/system"
  for unit in "$1/atual/$3"/*.service "$1/atual/$3"/*.timer; do
    [ ! -e "$unit" ] || install -m 0644 "$unit" "$dest/etc/systemd/system/"
  done
}

# version_in_use BASE: its name; nothing when there is none.
version_in_use() {
  link=$(readlink "$1/atual" || true)
  printf '%s' "${link##*/}"
}

# drop_versions BASE NAME…: all but these.
drop_versions() {
  base=$1
  shift
  for folder in "$base"/versoes/*; do
    for name in "$@"; do
      [ "${folder##*/}" != "$name" ] || continue 2
    done
    rm -rf "$folder"
  done
}

# start_units UNIT…: starts them anew; false when one of them does not stay up.
start_units() {
  systemctl daemon-reload
  systemctl enable --quiet "$@"
  systemctl restart "$@" || return 1
  second=0
  while [ "$second" -lt "$PROOF_S" ]; do
    sleep 1
    second=$((second + 1))
    ! systemctl show --property=ActiveState,NRestarts "$@" | grep -Evq '^(ActiveState=active|NRestarts=0|)$' || return 1
  done
}

# switch_version BASE VERSION UNITS_FOLDER UNIT…: starts it; goes back to the former version when it does not stay up.
switch_version() {
  base=$1 new=$2 units=$3
  shift 3
  former=$(version_in_use "$base")
  use_version "$base" "$new" "$units"
  if start_units "$@"; then
    drop_versions "$base" "$new" "$former"
    return 0
  fi
  for unit in "$@"; do journalctl --unit="$unit" --lines=15 --output=cat --no-pager >&2; done
  if [ -z "$former" ]; then
    systemctl disable --now --quiet "$@"
    rm "$base/atual"
    rm -rf "$base/versoes/$new"
    fail 'O serviço não ficou de pé; as últimas linhas do registro estão acima. Corrija e rode este script outra vez.'
  fi
  use_version "$base" "$former" "$units"
  rm -rf "$base/versoes/$new"
  start_units "$@" || fail 'Nem a versão nova nem a anterior ficaram de pé. Veja: journalctl -e'
  fail 'A versão nova não ficou de pé; as últimas linhas do registro estão acima. A anterior continua em uso.'
}
