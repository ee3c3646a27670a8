import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
/** The scripts run on Debian only. */
const describeOnLinux = describe.skipIf(process.platform !== 'linux')
const SERVER = 'deploy/uma-maquina/install.sh'
const EDGE = 'firmware-images/debian/install-edge.sh'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigia-install-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(command: readonly string[], env: Record<string, string> = {}) {
  const [program = '', ...args] = command
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
  })
  return { status, stdout, stderr }
}

const manifest = (part: string) => JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8'))

/** Returns the folders of the workspaces that these apps need at run time. */
function needed(apps: readonly string[]): string[] {
  const found = new Set(apps)
  for (const part of found)
    for (const name of Object.keys(manifest(part).dependencies ?? {}))
      if (name.startsWith('@vigia/')) found.add(`packages/${name.slice('@vigia/'.length)}`)
  return [...found].sort()
}

describeOnLinux('the copied workspaces (needs Linux)', () => {
  it.each([[['apps/edge']], [['apps/broker', 'apps/cloud']], [['apps/dashboard']]])(
    'of %j are these apps and exactly the packages that they need',
    (apps) => {
      const { stdout } = run(['sh', '-c', `origin=.; dest=; . deploy/program.sh; parts_of ${apps.join(' ')}`])
      expect(stdout.trim().split('\n').sort()).toEqual(needed(apps))
    },
  )

  it('are listed by parts_of, and the scripts copy nothing else', () => {
    const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n')
    const copied = linesOf('deploy/program.sh').flatMap(
      (line) => /copy_parts "\$(?:stage|work).*/.exec(line)?.[0] ?? [],
    )
    expect(copied).toEqual([
      'copy_parts "$stage" $(parts_of apps/edge) firmware-images',
      'copy_parts "$stage" $(parts_of apps/broker apps/cloud) deploy ;;',
      // The build of the dashboard also needs the base of its tsconfig.json.
      'copy_parts "$work/painel" $(parts_of apps/dashboard) packages/toolchain; }',
      'copy_parts "$work/npm"',
    ])
    const copies = (file: string) => linesOf(file).filter((line) => line.startsWith('copy_'))
    expect(copies(EDGE)).toEqual(['copy_component edge'])
    expect(copies(SERVER)).toEqual(['copy_component central', 'copy_dashboard'])
  })

  it('copies no tests, examples and entries of the trial eval', () => {
    const script = `set -eu; origin=.; dest=; work=${folder}; . deploy/program.sh; copy_parts ${folder}/x packages/ias`
    expect(run(['sh', '-c', script]).status).toBe(0)
    const copied = readdirSync(join(folder, 'x/packages/ias'), { recursive: true, encoding: 'utf8' })
    expect(copied).toContain('src/invasao/rule.ts')
    expect(copied.filter((file) => /bench|test\.|\.patch/.test(file))).toEqual([])
  })
})

describeOnLinux('a wrong option prints one line with advice (needs Linux)', () => {
  it.each([
    [EDGE, ['--nada'], 'Opção desconhecida: --nada. Veja: install-edge.sh --ajuda'],
    [EDGE, ['--central'], 'Falta o valor depois de --central.'],
    [EDGE, ['--codigo', ''], 'Falta o valor depois de --codigo.'],
    [EDGE, ['--codigo', '6'], expect.stringContaining('16 letras e números')],
    [EDGE, ['--codigo', 'ABCD-EFGH-JKMN-PQR'], expect.stringContaining('16 letras e números')],
    [EDGE, ['--codigo', 'ABCD-EFGH-JKMN-PQRU'], expect.stringContaining('sem a letra U')],
    [EDGE, [], expect.stringContaining('--central https://')],
    [EDGE, ['--central', 'http://vigia.exemplo.com.br'], expect.stringContaining('começar com https://')],
    [EDGE, ['--central', 'http://127.0.0.1:80@exemplo.com.br'], expect.stringContaining('não cabem em um endereço')],
    [EDGE, ['--central', 'https://a\nVIGIA_DATA_DIR=/'], expect.stringContaining('não cabem em um endereço')],
    [SERVER, ['--central', 'https://a'], expect.stringContaining('Opção desconhecida: --central')],
  ])('%s %j', (script, args, sentence) => {
    const { status, stdout, stderr } = run([script, ...args], { DESTDIR: folder })
    expect({ status, stdout, lines: stderr.split('\n') }).toEqual({ status: 1, stdout: '', lines: [sentence, ''] })
    expect(readdirSync(folder)).toEqual([])
  })

  it('refuses an activation code for an image', () => {
    const args = ['--central', 'https://a', '--codigo', 'ABCD-EFGH-JKMN-PQRS']
    expect(run([EDGE, ...args], { DESTDIR: folder }).stderr).toMatch(/^Com DESTDIR .*\n$/)
  })
})

describeOnLinux('a failed installation (needs Linux)', () => {
  const args = [EDGE, '--central', 'https://a']

  it('removes its files and prints the cause when the registry is unreachable', () => {
    const { status, stderr } = run(args, {
      DESTDIR: folder,
      npm_config_registry: 'http://127.0.0.1:1',
      npm_config_fetch_retries: '0',
    })
    expect(status).toBe(1)
    expect(stderr).toContain('ECONNREFUSED')
    expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^Não foi possível baixar os pacotes .* Nada foi mudado\.$/)
    expect(readdirSync(join(folder, 'opt/vigia-edge/versoes'))).toEqual([])
  })

  it('ends at once while another installation runs', () => {
    const base = join(folder, 'opt/vigia-edge')
    mkdirSync(join(base, 'versoes'), { recursive: true })
    const { status, stderr } = run(['flock', join(base, '.instalando'), ...args], { DESTDIR: folder })
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'Outra instalação está em andamento nesta máquina. Espere ela terminar.\n',
    })
  })
})

describeOnLinux('the program vigia of the machine (needs Linux)', () => {
  const vigia = (uid: number) => {
    for (const [name, text] of Object.entries({ id: `echo ${uid}`, 'systemd-run': 'printf "%s\\n" "$@"' })) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
      chmodSync(join(folder, name), 0o755)
    }
    return run(['deploy/uma-maquina/vigia', 'usuario', 'redefinir-senha', 'João da Silva'], {
      PATH: `${folder}:${process.env.PATH}`,
    })
  }

  it('runs as the user and with the settings of the service, also without a terminal', () => {
    const { status, stdout } = vigia(0)
    const args = stdout.trim().split('\n')
    expect(status).toBe(0)
    expect(args.slice(args.indexOf('apps/cloud/src/vigia/main.ts') + 1)).toEqual([
      'usuario',
      'redefinir-senha',
      'João da Silva',
    ])
    expect(args).toContain('--pipe')
    const unit = readFileSync(join(root, 'deploy/uma-maquina/vigia-cloud.service'), 'utf8')
    const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
    expect(args).toContain(`--uid=${setting('User')}`)
    expect(args).toContain(`--property=EnvironmentFile=${setting('EnvironmentFile')}`)
    expect(args).toContain(`--setenv=${setting('Environment')}`)
    expect(args).toContain(`--working-directory=${setting('WorkingDirectory')}`)
  })

  it('asks another user for sudo', () => {
    expect(vigia(1000)).toEqual({ status: 1, stdout: '', stderr: 'Rode como root: sudo vigia …\n' })
  })
})

describeOnLinux('an update (needs Linux)', () => {
  /**
   * Installs version 1, then switches to version 2; each unit file holds its version. A stub of systemctl reports that
   * the units of version `broken` do not start.
   */
  function update(broken: string) {
    const base = join(folder, 'opt/vigia')
    for (const version of ['1', '2']) {
      mkdirSync(join(base, 'versoes', version, 'units'), { recursive: true })
      writeFileSync(join(base, 'versoes', version, 'units/vigia-x.service'), version)
    }
    const unit = join(folder, 'etc/systemd/system/vigia-x.service')
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const systemctl = `#!/bin/sh
echo "$@" >>${folder}/calls
[ "$1" != show ] || [ "$(cat ${unit})" != '${broken}' ] || { echo ActiveState=activating; exit 0; }
[ "$1" != show ] || printf 'ActiveState=active\\nNRestarts=0\\n\\nActiveState=active\\nNRestarts=0\\n'`
    for (const [name, text] of Object.entries({ systemctl, journalctl: '#!/bin/sh\necho a causa\n' })) {
      writeFileSync(join(bin, name), text)
      chmodSync(join(bin, name), 0o755)
    }
    const script = `set -eu; origin=.; dest=${folder}; . deploy/program.sh; PROOF_S=1
      [ -e ${base}/atual ] || use_version ${base} 1 units
      switch_version ${base} 2 units vigia-x`
    const result = run(['sh', '-c', script], { PATH: `${bin}:${process.env.PATH}` })
    return { ...result, inUse: readlinkSync(join(base, 'atual')), unit: readFileSync(unit, 'utf8'), base }
  }

  it('activates the new version with its unit files and keeps the previous version', () => {
    const { status, inUse, unit, base } = update('none')
    expect({ status, inUse, unit }).toEqual({ status: 0, inUse: 'versoes/2', unit: '2' })
    expect(readdirSync(join(base, 'versoes')).sort()).toEqual(['1', '2'])
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toMatch(/^daemon-reload\nenable .*\nrestart vigia-x\nshow /)
  })

  it('returns to the previous version and removes the new one when its service does not start', () => {
    const { status, stderr, inUse, unit, base } = update('2')
    expect({ status, inUse, unit }).toEqual({ status: 1, inUse: 'versoes/1', unit: '1' })
    expect(stderr).toMatch(/a causa\n.*A anterior continua em uso\.\n$/)
    expect(existsSync(join(base, 'versoes/2'))).toBe(false)
  })
})
