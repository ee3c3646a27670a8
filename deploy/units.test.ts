import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const folders = [here('uma-maquina'), here('mosquitto'), here('nginx'), here('../firmware-images/debian')]
const DEBIAN_MOSQUITTO = '/lib/systemd/system/mosquitto.service'
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

/** Largest accepted result of `systemd-analyze security`, in tenths: 0 is no exposure, 100 is full exposure. */
const EXPOSURE_LIMIT = 16

describe.skipIf(!hasSystemd)('systemd units (needs systemd-analyze)', () => {
  let root = ''
  let units: string[] = []

  /**
   * systemd-analyze checks that programs exist, so the units refer to a temporary root with an executable in place of
   * Node.
   */
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'vigia-units-'))
    for (const name of ['vigia', 'vigia-edge']) {
      const bin = join(root, `opt/${name}/atual/node_modules/.bin`)
      mkdirSync(bin, { recursive: true })
      writeFileSync(join(bin, 'node'), '#!/bin/sh\n')
      chmodSync(join(bin, 'node'), 0o755)
    }
    const sbin = join(root, 'usr/local/sbin')
    mkdirSync(sbin, { recursive: true })
    copyFileSync(here('mosquitto/refresh.sh'), join(sbin, 'vigia-mosquitto-refresh'))
    copyFileSync(here('nginx/vigia-nginx-check.sh'), join(sbin, 'vigia-nginx-check'))
    units = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => /\.(service|timer|path)$/.test(file))
        .map((file) => {
          const target = join(root, file)
          const text = readFileSync(join(folder, file), 'utf8')
          writeFileSync(target, text.replace(/^(Exec\w+=\+?|WorkingDirectory=)(?=\/(opt|usr\/local)\/)/gm, `$1${root}`))
          return target
        }),
    )
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const verify = (files: string[]) => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' })
    // systemd also loads the units of the machine; only messages about the units of Vigia count.
    const ours = stderr.split('\n').filter((line) => line.includes('vigia'))
    return { status, ours }
  }

  it('are accepted by systemd-analyze verify', () => {
    expect(units.map((unit) => unit.split('/').at(-1))).toEqual([
      'vigia-broker.service',
      'vigia-cloud.service',
      'vigia-prepare.service',
      'vigia-renew.service',
      'vigia-renew.timer',
      'vigia-mosquitto.path',
      'vigia-mosquitto.service',
      'vigia-mosquitto.timer',
      'vigia-nginx-check.service',
      'vigia-edge.service',
    ])
    expect(verify(units)).toEqual({ status: 0, ours: [] })
  })

  it('are refused with an unknown setting or a missing program', () => {
    const edge = readFileSync(join(root, 'vigia-edge.service'), 'utf8')
    const broken = join(root, 'vigia-broken.service')
    writeFileSync(broken, edge.replace('ProtectHome=yes', 'ProtectHouse=yes'))
    expect(verify([broken]).ours.join('\n')).toContain('ProtectHouse')
    writeFileSync(broken, edge.replace('.bin/node ', '.bin/no-such-node '))
    expect(verify([broken]).status).not.toBe(0)
  })

  it.skipIf(!existsSync(DEBIAN_MOSQUITTO))('add to the unit of the package (needs mosquitto)', () => {
    const unit = join(root, 'mosquitto.service')
    copyFileSync(DEBIAN_MOSQUITTO, unit)
    mkdirSync(`${unit}.d`)
    const added = readFileSync(here('mosquitto/mosquitto.service.d.conf'), 'utf8')
    const write = (text: string) => writeFileSync(join(`${unit}.d`, 'vigia.conf'), text)
    const verifyMosquitto = () =>
      spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' }).stderr
    write(added.replace('/usr/local/sbin', `${root}/usr/local/sbin`))
    expect(verifyMosquitto()).not.toMatch(/vigia/)
    write(added.replace('Restart=', 'Restartt='))
    expect(verifyMosquitto()).toMatch(/vigia.*Restartt/)
  })

  it('include an accepted addition for a broker on another machine', () => {
    const unit = join(root, 'vigia-mosquitto.service')
    const addition = join(`${unit}.d`, 'rede.conf')
    mkdirSync(`${unit}.d`)
    const added = readFileSync(here('mosquitto/rede.conf'), 'utf8')
    writeFileSync(addition, added)
    const about = () => verify([unit]).ours.filter((line) => line.includes('rede.conf'))
    expect(about()).toEqual([])
    writeFileSync(addition, added.replace('PrivateNetwork', 'PrivateNetworks'))
    expect(about().join('\n')).toMatch(/PrivateNetworks/)
    rmSync(`${unit}.d`, { recursive: true })
  })

  it.each([
    'vigia-broker',
    'vigia-cloud',
    'vigia-prepare',
    'vigia-renew',
    'vigia-mosquitto',
    'vigia-nginx-check',
    'vigia-edge',
  ])('%s is hardened', (name) => {
    const args = [
      'security',
      '--offline=yes',
      `--threshold=${EXPOSURE_LIMIT}`,
      '--no-pager',
      join(root, `${name}.service`),
    ]
    const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    expect(status, stdout.split('\n').slice(-3).join('\n')).toBe(0)
  })
})

it.each(['vigia-broker', 'vigia-prepare', 'vigia-renew'])('%s runs without the secrets of the cloud', (name) => {
  const unit = readFileSync(here(`uma-maquina/${name}.service`), 'utf8')
  const kept = /^UnsetEnvironment=(.*)$/m.exec(unit)?.[1]?.split(' ')
  expect(kept).toEqual(
    expect.arrayContaining([
      'VIGIA_ADMIN_PASSWORD',
      'VIGIA_CHAVE',
      'VIGIA_CHAVE_ANTERIOR',
      'VIGIA_SMTP_URL',
      'VIGIA_TWILIO_AUTH_TOKEN',
      'VIGIA_TELEGRAM_TOKEN',
    ]),
  )
})

it.each(['uma-maquina/vigia-broker', 'uma-maquina/vigia-cloud', '../firmware-images/debian/vigia-edge'])(
  '%s is killed and restarted when its heartbeat stops',
  (path) => {
    const unit = readFileSync(here(`${path}.service`), 'utf8')
    // NotifyAccess: systemd-notify is a separate process. WatchdogSignal: a stopped process reacts only to SIGKILL.
    for (const line of [
      'Type=notify',
      'NotifyAccess=all',
      'WatchdogSec=30',
      'WatchdogSignal=SIGKILL',
      'Restart=always',
      'StartLimitIntervalSec=0',
    ])
      expect(unit.split('\n')).toContain(line)
    expect(unit).toMatch(/^RestrictAddressFamilies=.*\bAF_UNIX\b/m)
  },
)

it('mosquitto may open more files than it accepts connections, and accepts more than 5,000 edges', () => {
  const settings = readFileSync(here('mosquitto/mosquitto.conf'), 'utf8')
  const connections = [...settings.matchAll(/^max_connections (\d+)$/gm)].map(([, count]) => Number(count))
  const [, files] = /^LimitNOFILE=(\d+)$/m.exec(readFileSync(here('mosquitto/mosquitto.service.d.conf'), 'utf8')) ?? []
  expect(connections).toHaveLength(2)
  expect(connections[0]).toBeGreaterThan(5_000)
  expect(Number(files)).toBeGreaterThan(connections.reduce((sum, count) => sum + count) + 100)
})

it('the internal listener of mosquitto is for this machine only, and allows the cloud alone', () => {
  const settings = readFileSync(here('mosquitto/mosquitto.conf'), 'utf8')
  const [, edges = '', internal = ''] = settings.split(/^listener /m)
  expect([edges, internal].map((text) => text.split('\n')[0])).toEqual(['8883', '8884 127.0.0.1'])
  // Each listener has the same lines, except these.
  const lines = (text: string) => text.split('\n').filter((line) => /^[a-z]/.test(line))
  const differs = (from: string, other: string) => lines(from).filter((line) => !lines(other).includes(line))
  expect(differs(edges, internal)).toEqual([
    'max_connections 8192',
    'acl_file /etc/mosquitto/vigia.acl',
    'use_username_as_clientid true',
  ])
  expect(differs(internal, edges)).toEqual(['max_connections 256', 'acl_file /etc/mosquitto/vigia-interno.acl'])
  const rules = (name: string) => lines(readFileSync(here(`mosquitto/${name}`), 'utf8'))
  expect(rules('vigia-interno.acl')).toEqual(rules('vigia.acl').filter((line) => !line.startsWith('pattern')))
})

it('mosquitto loads a new revocation list within a minute', () => {
  const timer = readFileSync(here('mosquitto/vigia-mosquitto.timer'), 'utf8')
  const seconds = (name: string) => Number(new RegExp(`^${name}=(\\d+)s$`, 'm').exec(timer)?.[1])
  expect(seconds('OnUnitInactiveSec') + seconds('AccuracySec')).toBeLessThanOrEqual(40)
  expect(seconds('OnActiveSec')).toBeLessThanOrEqual(30)
})

it('limits the memory of every service, and keeps the main process when a child is killed', () => {
  const services = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => /\.service(\.d\.conf)?$/.test(file))
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const),
  )
  expect(services.length).toBeGreaterThan(7)
  expect(services.filter(([, text]) => !/^MemoryMax=\d+[GM%]$/m.test(text)).map(([file]) => file)).toEqual([])
  // These have children that decode what strangers send.
  for (const name of ['vigia-cloud.service', 'vigia-edge.service'])
    expect(services.find(([file]) => file === name)?.[1]).toMatch(/^OOMScoreAdjust=-200\nOOMPolicy=continue$/m)
})
