import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { fixture } from '@vigia/testing/fixture'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../../../test/clients/client.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const BIG = `export const text = '${'vigia '.repeat(1000)}'`

const browser = { headers: { accept: 'text/html,*/*' } }
let dir: string
beforeAll(async () => {
  dir = temporaryFolder('vigia-painel-')
  mkdirSync(join(dir, 'assets'))
  writeFileSync(join(dir, 'index.html'), '<meta nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>PAINEL')
  writeFileSync(join(dir, 'assets', 'index-a1b2.js'), 'export {}')
  writeFileSync(join(dir, 'favicon.svg'), '<svg/>')
  writeFileSync(join(dir, 'sem-conexao.html'), '<link nonce="__CSP_NONCE__">SEM CONEXÃO')
  writeFileSync(join(dir, 'sw.js'), 'addEventListener("fetch", () => {})')
  writeFileSync(join(dir, 'assets', 'big-c3d4.js'), BIG)
  writeFileSync(join(dir, 'assets', 'big-c3d4.js.br'), brotliCompressSync(BIG))
  writeFileSync(join(dir, 'assets', 'big-c3d4.js.gz'), gzipSync(BIG))
  writeFileSync(`${dir}-segredo.txt`, 'SEGREDO')
})

const app = fixture(() => startTestApp({ VIGIA_PAINEL_DIR: dir }))
afterAll(async () => {
  rmSync(dir, { recursive: true })
  rmSync(`${dir}-segredo.txt`)
})

describe('the page', () => {
  it.each(['/', '/login', '/cameras', '/alertas/12', '/index.html'])(
    'is the answer to a browser at %s',
    async (path) => {
      const answer = await send<string>(`${app.url}${path}`, browser)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(answer.body).toContain('PAINEL')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it('contains a unique nonce, which its policy allows', async () => {
    const nonces = new Set<string>()
    for (let i = 0; i < 2; i += 1) {
      const { headers, body } = await send<string>(`${app.url}/`, browser)
      const policy = headers.get('content-security-policy') ?? ''
      const nonce = /style-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? 'none'
      expect(body).toBe(`<meta nonce="${nonce}"><style nonce="${nonce}"></style>PAINEL`)
      expect(policy).toContain("default-src 'none';")
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("font-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(2)
  })

  it('does not replace the answer to a program', async () => {
    for (const path of ['/api/v1/nada', '/oauth/nada', '/mcp/nada', '/.well-known/nada', '/assets/nada.js'])
      expect([path, (await send(`${app.url}${path}`, browser)).status]).toEqual([path, 404])
    expect((await send(`${app.url}/cameras`)).status).toBe(404)
    expect((await send(`${app.url}/cameras`, { method: 'POST' })).status).toBe(404)
  })
})

it('marks hashed files as immutable, and revalidates others', async () => {
  const script = await send(`${app.url}/assets/index-a1b2.js`)
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const icon = await send(`${app.url}/favicon.svg`)
  expect([icon.headers.get('content-type'), icon.headers.get('cache-control')]).toEqual(['image/svg+xml', 'no-cache'])
})

describe('a file with compressed copies', () => {
  /** `fetch` would add an Accept-Encoding and decompress the answer. */
  const raw = (encodings: string) =>
    new Promise<{ coding: string | undefined; vary: string | undefined; body: Buffer }>((resolve, reject) => {
      const headers = { 'accept-encoding': encodings }
      const sent = request(`${app.url}/assets/big-c3d4.js`, { headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('end', () => {
          const { 'content-encoding': coding, vary } = answer.headers
          resolve({ coding, vary, body: Buffer.concat(chunks) })
        })
      })
      sent.on('error', reject).end()
    })

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5, br;q=0', 'gzip'],
    ['gzip;q=0', undefined],
    ['', undefined],
  ])('is sent for %j in the coding %s', async (encodings, coding) => {
    const answer = await raw(encodings)
    expect([answer.coding, answer.vary]).toEqual([coding, 'accept-encoding'])
    const { body } = answer
    const text = coding === 'br' ? brotliDecompressSync(body) : coding === 'gzip' ? gunzipSync(body) : body
    expect(text.toString()).toBe(BIG)
    if (coding) expect(body.length).toBeLessThan(BIG.length / 10)
  })

  it('has no address for its copies', async () => {
    expect((await send(`${app.url}/assets/big-c3d4.js.br`)).status).toBe(404)
  })
})

it('serves the offline page with the policy of a page, and a nonce', async () => {
  const { headers, body } = await send<string>(`${app.url}/sem-conexao.html`)
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['text/html; charset=utf-8', 'no-cache'])
  expect(headers.get('content-security-policy')).toContain("script-src 'self';")
  expect(body).toMatch(/^<link nonce="[\w+/=]{24}">SEM CONEXÃO$/)
})

it('lets the service worker repeat requests to the cloud, and nothing else', async () => {
  const { headers } = await send(`${app.url}/sw.js`)
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
  expect(headers.get('cache-control')).toBe('no-cache')
})

it('serves no file outside its folder', async () => {
  const name = dir.split('/').at(-1)
  for (const path of [
    `/../${name}-segredo.txt`,
    `/..%2f${name}-segredo.txt`,
    `/assets/..%2f..%2f${name}-segredo.txt`,
  ]) {
    const { body } = await send(`${app.url}${path}`)
    expect(JSON.stringify(body)).not.toContain('SEGREDO')
  }
})

it('explains the build step when the dashboard is not built', async () => {
  const bare = await startTestApp()
  try {
    const answer = await send(`${bare.url}/`, browser)
    expect(answer.status).toBe(503)
    expect(answer.body).toContain('npm run build')
    expect((await send(`${bare.url}/healthz`)).status).toBe(200)
  } finally {
    await bare.stop()
  }
})
