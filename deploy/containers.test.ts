import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { composeSchema } from '@vigia/testing/compose-schema'
import { readYaml } from '@vigia/testing/deploy-files'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** These tests read the files for containers and run their scripts. No image is built here. */
const here = (path: string) => join(import.meta.dirname, path)
const read = (path: string) => readFileSync(here(path), 'utf8')
const images = readdirSync(here('container')).filter((name) => name.endsWith('Containerfile'))

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vigia-container-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const program = (path: string, text: string) => {
  mkdirSync(join(dir, path, '..'), { recursive: true })
  writeFileSync(join(dir, path), `#!/bin/sh\n${text}\n`)
  chmodSync(join(dir, path), 0o755)
}

describe.each(images)('%s', (name) => {
  const lines = read(`container/${name}`).replaceAll('\\\n', ' ').split('\n')

  it('has base images with a tag, and ends as a user without privileges', () => {
    const bases = lines.flatMap((line) => /^FROM (\S+)/.exec(line)?.[1] ?? [])
    for (const base of bases) expect(base).toMatch(/^docker\.io\/library\/[a-z]+:\d+\.\d+[\w.-]*$/)
    const users = lines.flatMap((line) => /^USER (\S+)$/.exec(line)?.[1] ?? [])
    expect(users).toEqual(['10001:10001'])
    const last = lines.findIndex((line) => line.startsWith('USER'))
    expect(lines.slice(last).filter((line) => /^(RUN|COPY|ADD)/.test(line))).toEqual([])
  })

  it('copies files that exist', () => {
    const copies = lines.filter((line) => line.startsWith('COPY'))
    const sources = copies.flatMap((line) =>
      line
        .split(' ')
        .slice(1, -1)
        .filter((word) => /^(\/origem\/)?deploy\//.test(word)),
    )
    expect(sources.length).toBeGreaterThan(0)
    for (const source of sources)
      expect(existsSync(here(join('..', source.replace('/origem/', '')))), source).toBe(true)
  })
})

describe('compose/compose.yaml', () => {
  const compose = composeSchema.parse(readYaml('compose/compose.yaml')[0])
  const services = Object.entries(compose.services)

  it('refers to services, networks, volumes and files that exist', () => {
    for (const [name, service] of services) {
      for (const other of Object.keys(service.depends_on ?? {})) expect(compose.services, name).toHaveProperty(other)
      for (const network of service.networks ?? []) expect(compose.networks, name).toHaveProperty(network)
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        if (source === './tls') continue
        if (source.startsWith('.')) expect(existsSync(here(join('compose', source))), source).toBe(true)
        else expect(compose.volumes, name).toHaveProperty(source)
      }
      if (service.build)
        expect(existsSync(here(join('compose', service.build.context, service.build.dockerfile)))).toBe(true)
    }
  })

  it('publishes the port of edges, and the pages for this machine alone', () => {
    const ports = Object.fromEntries(services.flatMap(([name, { ports }]) => (ports ? [[name, ports]] : [])))
    expect(ports).toEqual({
      mosquitto: ['8883:8883'],
      nginx: ['127.0.0.1:80:80', '127.0.0.1:443:443'],
      prometheus: ['127.0.0.1:9090:9090'],
    })
  })

  it('lets Prometheus read the metrics of each replica, on the internal network', () => {
    const { scrape_configs } = readYaml('compose/prometheus.yml')[0] as {
      scrape_configs: { static_configs: { targets: string[] }[] }[]
    }
    const targets = scrape_configs.flatMap((job) => job.static_configs.flatMap((each) => each.targets))
    const replicas = services.filter(([, { environment }]) => environment?.VIGIA_METRICAS_PORTA !== undefined)
    expect(targets).toEqual(replicas.map(([name, { environment }]) => `${name}:${environment?.VIGIA_METRICAS_PORTA}`))
    for (const [, { networks }] of replicas) expect(compose.services.prometheus?.networks).toContain(networks?.[0])
  })

  it('runs the programs of Vigia with a read-only root and no privilege, and lets a replica drain', () => {
    for (const [, service] of services.filter(([, { build }]) => build)) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
      const drain = service.environment?.VIGIA_DRENAGEM_S
      if (drain)
        expect(Number.parseInt(service.stop_grace_period ?? '10', 10)).toBeGreaterThanOrEqual(Number(drain) + 5)
    }
  })
})

describe('central.sh', () => {
  const run = (env: Record<string, string>, ...args: string[]) => {
    program('node_modules/.bin/node', 'echo "$@"')
    const { status, stdout } = spawnSync(here('container/central.sh'), args, {
      cwd: dir,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, VIGIA_DATA_DIR: join(dir, 'dados'), ...env },
    })
    return { status, programs: stdout.trim().split('\n') }
  }

  it('creates the keys of an installation on SQLite, and on request', () => {
    const [prepare, main] = ['apps/cloud/src/prepare.ts', 'apps/cloud/src/main.ts']
    expect(run({})).toEqual({ status: 0, programs: [prepare, main] })
    expect(run({ VIGIA_BANCO: 'postgres://banco/vigia' })).toEqual({ status: 0, programs: [main] })
    expect(run({}, 'preparar')).toEqual({ status: 0, programs: [prepare] })
    for (const file of [prepare, main]) expect(existsSync(here(join('..', file)))).toBe(true)
  })

  it('gives a new data folder the CA, and leaves that of an old one', () => {
    mkdirSync(join(dir, 'semente'))
    for (const name of ['ca.pem', 'ca.key']) writeFileSync(join(dir, 'semente', name), 'first')
    const key = join(dir, 'dados/pki/ca.key')
    expect(run({ VIGIA_BANCO: 'x' }, join(dir, 'semente')).status).toBe(0)
    expect(readFileSync(key, 'utf8')).toBe('first')
    writeFileSync(join(dir, 'semente/ca.key'), 'second')
    expect(run({ VIGIA_BANCO: 'x' }, join(dir, 'semente')).status).toBe(0)
    expect(readFileSync(key, 'utf8')).toBe('first')
  })

  it('keeps pictures and clips in the folder that all replicas share', () => {
    mkdirSync(join(dir, 'midia'))
    for (let start = 0; start < 2; start += 1)
      expect(run({ VIGIA_BANCO: 'x' }, join(dir, 'none'), join(dir, 'midia')).status).toBe(0)
    expect(realpathSync(join(dir, 'dados/cloud/media'))).toBe(realpathSync(join(dir, 'midia')))
  })
})

describe('mosquitto.sh', () => {
  const start = (broker: string) => {
    mkdirSync(join(dir, 'alvo'))
    // The list of the cloud is `list`.
    program('bin/vigia-mosquitto-refresh', `cp ${dir}/list ${dir}/alvo/crl.pem 2>/dev/null || true`)
    program('bin/mosquitto', broker)
    const env = {
      PATH: `${dir}/bin:${process.env.PATH}`,
      VIGIA_MOSQUITTO_DIR: `${dir}/alvo`,
      VIGIA_MOSQUITTO_CHECK_S: '0.1',
    }
    const script = spawn(here('container/mosquitto.sh'), { stdio: 'ignore', env })
    return { script, over: once(script, 'exit') }
  }
  const starts = () =>
    existsSync(join(dir, 'starts')) ? readFileSync(join(dir, 'starts'), 'utf8').trim().split('\n') : []
  const until = async (count: number) => {
    for (let n = 0; starts().length < count && n < 400; n += 1) await delay(25)
    expect(starts()).toHaveLength(count)
  }

  it('starts mosquitto with a list, again after another list, and ends with it', async () => {
    writeFileSync(join(dir, 'list'), 'one')
    const { script, over } = start(`echo $$ >>${dir}/starts; exec sleep 60`)
    await until(1)
    writeFileSync(join(dir, 'list'), 'two')
    await until(2)
    script.kill('SIGTERM')
    expect(await over).toEqual([0, null])
    for (const pid of starts()) expect(() => process.kill(Number(pid), 0)).toThrow()
  })

  it('fails when mosquitto ends by itself', async () => {
    writeFileSync(join(dir, 'list'), 'one')
    const { over } = start(`echo $$ >>${dir}/starts; exit 3`)
    expect(await over).toEqual([1, null])
  })
})
