import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** `apps/cloud/src/replicas/nginx.postgres.test.ts` runs replicas behind nginx. */
const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
const hasNginx = spawnSync('nginx', ['-v']).status === 0
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(!hasNginx || !hasOpenssl)('nginx -t (needs nginx and openssl)', () => {
  let dir = ''
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'vigia-nginx-'))
    const subject = [
      '-subj',
      '/CN=vigia.exemplo.com.br',
      '-keyout',
      join(dir, 'key.pem'),
      '-out',
      join(dir, 'cert.pem'),
    ]
    const made = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
      ...subject,
    ]
    expect(spawnSync('openssl', made).status).toBe(0)
    writeFileSync(join(dir, 'vigia-replicas.conf'), 'server 127.0.0.1:8080;\nserver 127.0.0.2:8080 down;\n')
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  const check = (change: (text: string) => string, file = 'nginx/vigia.conf') => {
    const settings = change(read(file))
      .replaceAll('/etc/nginx/vigia/', `${dir}/`)
      .replaceAll('/etc/nginx/vigia-replicas.conf', `${dir}/vigia-replicas.conf`)
    writeFileSync(
      join(dir, 'nginx.conf'),
      `pid ${dir}/pid; error_log stderr; events {} http { access_log off; ${settings} }`,
    )
    const { status, stderr } = spawnSync('nginx', ['-t', '-e', 'stderr', '-c', join(dir, 'nginx.conf')], {
      encoding: 'utf8',
    })
    return { status, stderr }
  }

  it('accepts the file for a central below a path, together with the other one', () => {
    const { status, stderr } = check((text) => text + read('nginx/vigia.conf'), 'nginx/vigia-caminho.conf')
    expect(status, stderr).toBe(0)
  })

  it('accepts the file, and refuses a misspelled setting', () => {
    const { status, stderr } = check((text) => text)
    expect(status, stderr).toBe(0)
    expect(check((text) => text.replace('proxy_buffering', 'proxy_bufering')).status).toBe(1)
  })
})

it('nginx/vigia-caminho.conf passes on at once what nginx/vigia.conf does, below its path', () => {
  const [streams, below] = ['vigia', 'vigia-caminho'].map(
    (name) => /location ~ \^\/(?:vigia\/)?\((mcp\S+) \{/.exec(read(`nginx/${name}.conf`))?.[1],
  )
  expect(streams).toMatch(/^mcp\$\|/)
  expect(below).toBe(streams)
})

describe('nginx/vigia.conf', () => {
  const text = read('nginx/vigia.conf')
  const [, pattern = ''] = /location ~ (\S+) \{/.exec(text) ?? []
  const streams = new RegExp(pattern)

  it('passes on at once the streams and the live pictures, and nothing else', () => {
    for (const path of [
      '/mcp',
      '/api/v1/sse/alertas',
      '/api/v1/ws/alertas',
      '/api/v1/miniaturas',
      '/api/v1/cameras/7/aovivo',
      '/api/v1/cameras/7/transmissao',
      '/api/v1/cameras/7/hls/abc/lista.m3u8',
      '/api/v1/edges/transmissoes/7/principal',
    ])
      expect(path).toMatch(streams)
    for (const path of ['/', '/mcpx', '/api/v1/cameras', '/api/v1/cameras/7/hls_url', '/api/v1/edges/envios', '/login'])
      expect(path).not.toMatch(streams)
  })

  it('never repeats a request that may have changed something', () => {
    expect(text.match(/^ *proxy_next_upstream .*$/gm)).toEqual(['    proxy_next_upstream error timeout;'])
    expect(text).not.toMatch(/^[^#]*non_idempotent/m)
  })

  it('reuses connections for less time than the cloud keeps them', () => {
    const listen = readFileSync(join(import.meta.dirname, '../apps/cloud/src/http/listen.ts'), 'utf8')
    const idleMs = Number(/^const IDLE_MS = ([\d_]+)$/m.exec(listen)?.[1]?.replaceAll('_', ''))
    expect(Number(/^ *keepalive_timeout (\d+)s;$/m.exec(text)?.[1]) * 1000).toBeLessThan(idleMs)
  })
})

it('the examples of Caddy ask for /readyz where there are several replicas, and flush at once', () => {
  const [one, several] = [read('uma-maquina/Caddyfile'), read('caddy/Caddyfile')]
  for (const text of [one, several]) {
    expect(text).toMatch(/^\t\tflush_interval -1$/m)
    expect(text.match(/\{$/gm)?.length).toBe(text.match(/^\t*\}$/gm)?.length)
  }
  expect(several).toMatch(/^\t\thealth_uri \/readyz$/m)
})

const scripts = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.sh'),
)
it.each(scripts)('%s is a valid shell script', (file) => {
  const { status, stderr } = spawnSync('sh', ['-n', join(import.meta.dirname, file)], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
