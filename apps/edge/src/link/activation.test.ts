import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import tls from 'node:tls'
import { ativarSchema } from '@vigia/contracts/edges'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { freePort } from '@vigia/testing/free-port'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ActivationOptions, activate } from './activation.ts'

type Reply = { readonly status: number; readonly body: unknown; readonly location?: string }

const ativado = { edge_id: 3, certificado: 'CERT', ca: 'CA', mqtt: { url: 'mqtts://127.0.0.1:8883' } }
const CODE = 'codigo-de-uma-vez'

let server: Server
let url = ''
let dir = ''
let replies: Reply[] = []
let bodies: unknown[] = []
let output = ''

const keep = (line: string) => {
  output += line
}

beforeEach(async () => {
  ;[replies, bodies, output] = [[], [], '']
  dir = temporaryFolder('vigia-ativacao-')
  server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      bodies.push(JSON.parse(text))
      const { status, body, location } = replies.shift() ?? { status: 201, body: ativado }
      response.writeHead(status, location ? { location } : {}).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await rm(dir, { recursive: true, force: true })
  expect(output).not.toContain(CODE)
})

type Attempt = Partial<Pick<ActivationOptions, 'code' | 'file' | 'signal' | 'cloudUrl' | 'previous' | 'wanted'>>
const attempt = (options: Attempt = {}) =>
  activate({
    ...options,
    cloudUrl: options.cloudUrl ?? url,
    code: options.code ?? null,
    file: options.file ?? null,
    log: pino({ level: 'debug' }, { write: keep }),
    signal: options.signal ?? new AbortController().signal,
    pollMs: 20,
    backoff: { minMs: 10, maxMs: 40 },
  })

describe('activate', () => {
  it('sends code, request and public key, and returns the identity with its private keys', async () => {
    const identity = await attempt({ code: CODE })
    const [sent] = bodies
    expect(ativarSchema.parse(sent)).toMatchObject({ codigo: CODE })
    expect(JSON.stringify(sent)).not.toMatch(/PRIVATE KEY|"d"/)
    expect(identity).toMatchObject({ ...ativado, chave_cifra: { crv: 'P-256' } })
    expect(identity?.chave_tls).toContain('PRIVATE KEY')
    expect(identity?.chave_cifra.d).toBeTruthy()
  })

  it('retries while the cloud is offline, overloaded or sends invalid answers', async () => {
    replies = [
      { status: 503, body: {} },
      { status: 429, body: {} },
      { status: 200, body: 'não' },
    ]
    expect(await attempt({ code: CODE })).not.toBeNull()
    expect(bodies).toHaveLength(4)
  })

  it('retries while no server listens', async () => {
    const stop = new AbortController()
    const cloudUrl = `http://127.0.0.1:${await freePort()}`
    const waiting = attempt({ code: CODE, cloudUrl, signal: stop.signal })
    await expect.poll(() => output.match(/A central não respondeu/g)?.length ?? 0).toBeGreaterThan(2)
    stop.abort()
    expect(await waiting).toBeNull()
    expect(output).toContain('ECONNREFUSED')
  })

  it('logs a refused code once and waits for another in the file', async () => {
    const file = join(dir, 'codigo')
    await writeFile(file, 'velho')
    replies = [{ status: 409, body: { detail: 'Este código já foi usado.' } }]
    const waiting = attempt({ file })
    await expect.poll(() => output).toContain('foi recusado')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(bodies).toHaveLength(1)
    await writeFile(file, `${CODE}\n`)
    expect(await waiting).not.toBeNull()
    expect(output.match(/foi recusado pela central. Este código já foi usado./g)).toHaveLength(1)
  })

  it.each([
    ['a sentence with the code in it', { detail: `O código ${CODE.toUpperCase()} não vale.` }],
    ['a list of faults', { detail: [{ msg: CODE }] }],
    ['no JSON', CODE],
  ])('logs its own explanation instead of %s', async (_, body) => {
    const stop = new AbortController()
    replies = [{ status: 401, body }]
    const waiting = attempt({ code: CODE, signal: stop.signal })
    await expect.poll(() => output).toContain('recusado pela central. Gere um código novo')
    stop.abort()
    expect(await waiting).toBeNull()
  })

  it('shortens an explanation and keeps it on one line', async () => {
    const stop = new AbortController()
    replies = [{ status: 401, body: { detail: `a\n\tb${'x'.repeat(5_000)}` } }]
    const waiting = attempt({ code: CODE, signal: stop.signal })
    await expect.poll(() => output).toMatch(/central\. a bx{297}"/)
    stop.abort()
    await waiting
  })

  it('keeps the key for passwords of the replaced identity and ignores the used code', async () => {
    const previous = await attempt({ code: 'primeiro-codigo' })
    if (!previous) throw new Error('not activated')
    const file = join(dir, 'codigo')
    await writeFile(file, 'primeiro-codigo')
    const waiting = attempt({ file, previous })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(bodies).toHaveLength(1)
    await writeFile(file, CODE)
    const next = await waiting
    expect(bodies[1]).toMatchObject({ codigo: CODE, chave_cifra: { x: previous.chave_cifra.x } })
    expect(JSON.stringify(bodies[1])).not.toContain(previous.chave_cifra.d)
    expect(next?.chave_cifra).toEqual(previous.chave_cifra)
    expect(next?.chave_tls).not.toBe(previous.chave_tls)
  })

  it('ends when activation is no longer needed, but completes an attempt that may have used the code', async () => {
    let wanted = false
    expect(await attempt({ code: CODE, wanted: () => wanted })).toBeNull()
    expect(bodies).toEqual([])
    wanted = true
    const waiting = attempt({ code: CODE, wanted: () => wanted })
    await expect.poll(() => bodies.length).toBe(1)
    wanted = false
    expect(await waiting).not.toBeNull()
  })

  it('waits for the file with the code', async () => {
    const file = join(dir, 'codigo')
    const waiting = attempt({ file })
    await expect.poll(() => output).toContain('Aguardando o código')
    await writeFile(file, CODE)
    expect(await waiting).not.toBeNull()
  })

  it('sends the code to no redirect target', async () => {
    replies = [{ status: 307, body: {}, location: 'http://127.0.0.1:1/' }]
    expect(await attempt({ code: CODE })).not.toBeNull()
    expect(bodies).toHaveLength(2)
  })
})

describe('a clock that is wrong', () => {
  const DAY = 86_400_000
  const before = tls.getCACertificates('default')
  afterEach(() => tls.setDefaultCACertificates(before))

  it.each([
    ['behind', 5 * DAY, 'o relógio está atrasado'],
    ['ahead, or a certificate that is over', -2_000 * DAY, 'o certificado da central já venceu nela'],
  ])('%s has its own sentence', async (_name, aheadMs, sentence) => {
    await ensureInstallationPki({ dir, brokerHosts: [], now: Date.now() + aheadMs })
    const pem = (name: string) => readFileSync(join(dir, name), 'utf8')
    // The authority is as young as the certificate, which it signed.
    tls.setDefaultCACertificates([...before, pem('pki/ca.pem')])
    const central = createTlsServer({ cert: pem('broker/tls/cert.pem'), key: pem('broker/tls/key.pem') })
    central.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => central.listen(0, '127.0.0.1', resolve))
    const address = central.address()
    const stop = new AbortController()
    const cloudUrl = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const running = attempt({ code: CODE, cloudUrl, signal: stop.signal })
    await expect.poll(() => output).toContain(sentence)
    stop.abort()
    await running
    central.close()
    expect(output).toMatch(/A hora desta caixa é \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)/)
  })
})
