import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { PedidoRenovacao } from '@vigia/contracts/edge-state'
import { type CloudLink, createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { edgeName } from '@vigia/link/identity'
import { loadAuthority } from '@vigia/link/pki/authority'
import { createCsr } from '@vigia/link/pki/csr'
import { issueEdgeCertificate } from '@vigia/link/pki/edge-certificate'
import { certificateSha256 } from '@vigia/link/pki/fingerprint'
import { createSealKeyPair } from '@vigia/link/sealed'
import { createTestInstallation, type TestInstallation } from '@vigia/link/testing/installation'
import { freePort } from '@vigia/testing/free-port'
import { type Program, startProgram } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createIdentityStore, type EdgeIdentity, type HeldIdentity, holdIdentity } from './identity.ts'
import { createReactivation, type Reactivation } from './reactivation.ts'
import { createRenewal, type Renewal } from './renewal.ts'

/** Uses a real broker and real certificates; the test acts as the cloud. */
const DAY = 86_400_000
const EDGE = 7
const backoff = { minMs: 20, maxMs: 100 }

let installation: TestInstallation
let other: TestInstallation
let broker: Program
let url: string
let cloud: CloudLink
let dir: string
let output = ''
let asked: PedidoRenovacao[] = []
let allowed: string[] = []
let edge: { link: EdgeLink; held: HeldIdentity; renewal: Renewal; first: EdgeIdentity } | undefined
let reactivation: Reactivation | undefined
/** The cloud's reaction to a request. */
let onRequest: (pedido: PedidoRenovacao) => Promise<void> = async () => {}

const keep = (line: string) => {
  output += line
}
const log = pino({ level: 'debug' }, { write: keep })

/** A certificate with a validity of 825 days, of which `left` days remain. */
const issue = async (csrPem: string, left: number, by = installation) => {
  const ca = await loadAuthority(by.dir)
  const now = Date.now() - (825 - left) * DAY
  const certificado = await issueEdgeCertificate({ ca, edgeId: EDGE, csrPem, now })
  return { certificado, ca: ca.certificatePem }
}
const inForce = async (...certificates: string[]) => {
  allowed = certificates.map(certificateSha256)
  await cloud.publishAllowed({ v: 2, certificados: { [edgeName(EDGE)]: allowed } })
}

async function identity(left: number): Promise<EdgeIdentity> {
  const { csrPem, privateKeyPem } = await createCsr()
  const { x, y, d } = (await createSealKeyPair()).privateJwk
  return {
    edge_id: EDGE,
    ...(await issue(csrPem, left)),
    mqtt: { url },
    sequencias: {},
    chave_tls: privateKeyPem,
    chave_cifra: { kty: 'EC', crv: 'P-256', x, y, d },
    codigo_sha256: null,
  }
}

interface Given {
  readonly left: number
  readonly aheadMs?: number
  readonly offsetMs?: number | null
  readonly repeat?: { minMs: number; maxMs: number }
  readonly trialMs?: number
}
async function startEdge({ left, aheadMs = 0, offsetMs = null, repeat, trialMs }: Given) {
  const first = await identity(left)
  const store = createIdentityStore(dir)
  await store.save(first)
  await inForce(first.certificado)
  const held = holdIdentity(store, first)
  const tls = () => ({ ca: held.current().ca, cert: held.current().certificado, key: held.current().chave_tls })
  const link = createEdgeLink({ url, edgeId: EDGE, tls, log, backoff })
  const renewal = createRenewal({
    identity: held,
    link,
    log,
    now: () => Date.now() + aheadMs,
    offsetMs: () => offsetMs,
    checkEveryMs: 50,
    ...(repeat && { repeat }),
    ...(trialMs && { trialMs }),
  })
  edge = { link, held, renewal, first }
  renewal.start()
  link.start()
  return edge
}

beforeAll(async () => {
  installation = await createTestInstallation()
  other = await createTestInstallation()
  const port = await freePort()
  url = `mqtts://127.0.0.1:${port}`
  const env = { VIGIA_DATA_DIR: installation.dir, VIGIA_MQTT_PORT: String(port), VIGIA_LOG_LEVEL: 'warn' }
  broker = await startProgram({ entry: 'apps/broker/src/main.ts', env })
  cloud = createCloudLink({ url, tls: installation.cloud, log: pino({ level: 'silent' }), backoff })
  cloud.onRenewal(async (edgeId, pedido) => {
    expect(edgeId).toBe(EDGE)
    asked.push(pedido)
    await onRequest(pedido)
  })
  cloud.start()
  await waitFor('the cloud', () => cloud.connected)
})
afterAll(async () => {
  await cloud.stop()
  await broker.stop()
  await installation.remove()
  await other.remove()
})
beforeEach(async () => {
  dir = temporaryFolder('vigia-renovacao-')
  ;[asked, output] = [[], '']
  onRequest = async () => {}
})
afterEach(async () => {
  await reactivation?.stop()
  edge?.renewal.stop()
  await edge?.link.stop()
  ;[edge, reactivation] = [undefined, undefined]
  await rm(dir, { recursive: true, force: true })
  expect(output).not.toContain('PRIVATE KEY')
})

const stored = () => createIdentityStore(dir).load()
/** Waits long enough for several certificate checks of the edge, so that unwanted actions would occur. */
const severalChecks = () => new Promise((resolve) => setTimeout(resolve, 300))

describe('renewal', () => {
  it('renews a certificate with less than a third of its validity left, for a new key, and uses it', async () => {
    const { held, link, first } = await startEdge({ left: 200 })
    onRequest = async ({ id, csr }) => {
      const { certificado, ca } = await issue(csr, 825)
      await inForce(certificado, first.certificado)
      await cloud.publishRenewed(EDGE, { v: 1, id, certificado, ca })
    }
    await waitFor('the new certificate', () => held.current() !== first)
    const next = held.current()
    expect(next.chave_tls).not.toBe(first.chave_tls)
    expect({ ...next, certificado: '', chave_tls: '' }).toEqual({ ...first, certificado: '', chave_tls: '' })
    expect(await stored()).toEqual(next)
    await waitFor('a connection with it', () => link.status.connections === 2 && link.connected)
    await inForce(next.certificado)
    await severalChecks()
    expect(link.connected).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it.each<[string, Given, number]>([
    ['requests nothing while most of the validity is left', { left: 300 }, 0],
    ['requests a renewal at the time of the edge’s clock', { left: 300, aheadMs: 100 * DAY }, 1],
    ['uses the cloud’s clock once the offset is known', { left: 300, aheadMs: 100 * DAY, offsetMs: 100 * DAY }, 0],
  ])('%s', async (_, given, times) => {
    const { link } = await startEdge(given)
    await waitFor('the connection', () => link.connected)
    if (times > 0) await waitFor('the request', () => asked.length === times)
    await severalChecks()
    expect(asked).toHaveLength(times)
  })

  it('repeats the same request with growing delays until there is an answer, also over a new connection', async () => {
    const { held, link, first } = await startEdge({ left: 100, repeat: { minMs: 100, maxMs: 10_000 } })
    await waitFor('the third request', () => asked.length >= 3)
    expect(new Set(asked.map(({ id, csr }) => id + csr)).size).toBe(1)
    expect(asked.length).toBeLessThan(6)
    link.reconnect()
    const before = asked.length
    await waitFor('one more', () => asked.length > before)
    const [request] = asked
    if (!request) throw new Error('none')
    const { certificado, ca } = await issue(request.csr, 825)
    await inForce(certificado, first.certificado)
    await cloud.publishRenewed(EDGE, { v: 1, id: request.id, certificado, ca })
    await waitFor('the new certificate', () => held.current() !== first)
  })

  const wrong: [
    string,
    (pedido: PedidoRenovacao, mine: EdgeIdentity) => Promise<{ certificado: string; ca: string }>,
  ][] = [
    ['is of another key', async () => issue((await createCsr()).csrPem, 825)],
    ['is of another authority', async ({ csr }) => issue(csr, 825, other)],
    [
      'contains a certificate of another authority and the CA of this one',
      async ({ csr }, mine) => ({ ...(await issue(csr, 825, other)), ca: mine.ca }),
    ],
    ['expires no later', async ({ csr }) => issue(csr, 199)],
    ['contains no certificate', async (_, mine) => ({ certificado: 'lixo', ca: mine.ca })],
  ]
  it.each(wrong)('changes nothing when the answer %s', async (_, make) => {
    const { held, link, first } = await startEdge({ left: 200 })
    onRequest = async (pedido) => {
      await cloud.publishRenewed(EDGE, { v: 1, id: pedido.id, ...(await make(pedido, first)) })
    }
    await waitFor('the answer to be refused', () => /does not fit this edge|failed/.test(output))
    expect(held.current()).toBe(first)
    expect(await stored()).toEqual(first)
    expect(link.status.connections).toBe(1)
  })

  it('ignores an answer to an unknown request', async () => {
    const { held, first } = await startEdge({ left: 200 })
    onRequest = async ({ csr }) => {
      const id = '0197a000-0000-7000-8000-00000000000a'
      await cloud.publishRenewed(EDGE, { v: 1, id, ...(await issue(csr, 825)) })
    }
    await waitFor('the request', () => asked.length === 1)
    await severalChecks()
    expect(held.current()).toBe(first)
  })

  it('returns to the previous certificate when the new one is refused', async () => {
    const { held, link, first } = await startEdge({ left: 200, trialMs: 500 })
    // The cloud sends the certificate but does not put it in force.
    onRequest = async ({ id, csr }) => cloud.publishRenewed(EDGE, { v: 1, id, ...(await issue(csr, 825)) })
    await waitFor('the new certificate', () => held.current() !== first)
    // Both conditions are in one check, because the edge soon requests another certificate.
    await waitFor(
      'the previous certificate, in use and on the disk',
      async () => held.current() === first && isDeepStrictEqual(await stored(), first),
      { everyMs: 10 },
    )
    await waitFor('the connection', () => link.connected)
  })

  it('logs an expired certificate once and requests nothing', async () => {
    const { link } = await startEdge({ left: -1 })
    await waitFor('the log line', () => output.includes('O certificado desta caixa venceu'))
    await severalChecks()
    expect(output.match(/O certificado desta caixa venceu/g)).toHaveLength(1)
    expect([link.connected, asked.length]).toEqual([false, 0])
  })
})

describe('activation with a new code', () => {
  const CODE = 'AAAA-BBBB-CCCC-DDDD'
  let server: Server
  let posted: { codigo: string; csr: string; chave_cifra: { x: string } }[] = []
  let answeredEdge = EDGE
  let cloudUrl = ''

  beforeEach(async () => {
    ;[posted, answeredEdge] = [[], EDGE]
    server = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk: Buffer) => (text += chunk.toString()))
      request.on('end', async () => {
        const body = JSON.parse(text)
        posted.push(body)
        const issued = await issue(body.csr, 825)
        await inForce(issued.certificado)
        response.end(JSON.stringify({ edge_id: answeredEdge, ...issued, mqtt: { url }, sequencias: { 5: 77 } }))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    cloudUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
    expect(output).not.toContain(CODE)
  })

  async function startWithCodeFile(left: number) {
    const file = join(dir, 'codigo')
    const started = await startEdge({ left })
    const activated: EdgeIdentity[] = []
    let moved = 0
    reactivation = createReactivation({
      cloudUrl,
      code: null,
      file,
      log,
      identity: started.held,
      link: started.link,
      onActivated: (next) => activated.push(next),
      onMoved: () => {
        moved += 1
      },
      afterMs: 100,
      pollMs: 20,
      backoff,
    })
    reactivation.start()
    return { ...started, file, activated, moved: () => moved }
  }

  it.each([
    ['expired', -1],
    ['revoked', 800],
  ])(
    'reconnects an edge whose certificate is %s, with its key for passwords and the cloud’s count',
    async (what, left) => {
      const { held, link, first, file, activated } = await startWithCodeFile(left)
      if (what === 'revoked') await inForce()
      await waitFor('no connection', () => !link.connected && output.includes('Sem conexão com a central'))
      await writeFile(file, `${CODE}\n`)
      await waitFor('the new identity', () => held.current() !== first)
      await waitFor('the connection', () => link.connected)
      expect(posted).toMatchObject([{ codigo: CODE, chave_cifra: { x: first.chave_cifra.x } }])
      expect(held.current().chave_cifra).toEqual(first.chave_cifra)
      expect(activated.map(({ sequencias }) => sequencias)).toEqual([{ 5: 77 }])
      expect(await stored()).toEqual(held.current())

      // The used code is still in the file while the link is down for a moment: it is not tried again.
      expect(await readFile(file, 'utf8')).toContain(CODE)
      await inForce()
      await waitFor('the link to go', () => !link.connected)
      await severalChecks()
      expect(posted).toHaveLength(1)
    },
  )

  it('is not tried while the link is up, nor after it is up again', async () => {
    const { link, file, first } = await startWithCodeFile(800)
    await waitFor('the connection', () => link.connected)
    await writeFile(file, CODE)
    await severalChecks()
    await rm(file)
    await inForce()
    await waitFor('the edge to check for a code', () => output.includes('Sem conexão com a central'))
    await inForce(first.certificado)
    await waitFor('the connection again', () => link.connected)
    await writeFile(file, CODE)
    await severalChecks()
    expect(posted).toEqual([])
  })

  it('of another edge restarts the program', async () => {
    const { held, file, moved, activated } = await startWithCodeFile(-1)
    answeredEdge = EDGE + 1
    await writeFile(file, CODE)
    await waitFor('the move', () => moved() === 1)
    expect([held.current().edge_id, activated.length]).toEqual([EDGE + 1, 0])
    expect((await stored())?.edge_id).toBe(EDGE + 1)
  })
})
