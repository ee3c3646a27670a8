import { randomUUID } from 'node:crypto'
import type { Confirmacoes, Eco } from '@vigia/contracts/candidate'
import type { Desejado, Relato } from '@vigia/contracts/edge-state'
import { type CloudLink, createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink, type EdgeLink, type EdgeLinkOptions } from '@vigia/link/edge-link'
import { openSession } from '@vigia/link/session'
import { createMemoryLog, createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { sampleReport } from '@vigia/link/testing/sample-report'
import { topics } from '@vigia/link/topics'
import mqtt from 'mqtt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Broker, createBroker } from './app.ts'
import { createProxy } from './testing/proxy.ts'

/** Both real ends of the link over the embedded broker. */
const backoff = { minMs: 20, maxMs: 100 }
const log = createMemoryLog()
const desired: Desejado = {
  v: 1,
  versao: 4,
  cameras: [],
  limite_reenvio_kbps: null,
  identidade_duplicada: false,
  recursos: [],
}
const report = sampleReport({ config_versao: 4, enviado_em: 1_790_000_000_000 })
const confirmed = (id: string = randomUUID()): Confirmacoes => ({
  tipo: 'registros',
  v: 2,
  itens: [{ id, resultado: 'gravado', motivo: null }],
})

const edges = [1, 2, 7, 8]

let installation: TestInstallation
let broker: Broker
let port: number
const links: (CloudLink | EdgeLink)[] = []

/** `admitted`: edges on the initial list; none: the broker waits for the list, as after a crash. */
async function startBroker(onPort: number, admitted: readonly number[] = edges): Promise<void> {
  broker = createBroker({ host: '127.0.0.1', port: onPort, tls: installation.broker, log })
  port = (await broker.start()).porta
  if (admitted.length > 0) await installation.admit(url(), admitted)
}
const url = (onPort = port) => `mqtts://127.0.0.1:${onPort}`

async function edgeLink(edgeId: number, options: Partial<EdgeLinkOptions> = {}): Promise<EdgeLink> {
  const tls = await installation.edge(edgeId)
  const link = createEdgeLink({ url: url(), edgeId, tls: () => tls, log, backoff, ...options })
  links.push(link)
  return link
}
function cloudLink(): CloudLink {
  const link = createCloudLink({ url: url(), tls: installation.cloud, log, backoff })
  // The cloud of the product does the same.
  link.onConnected(async () => link.publishAllowed(await installation.allowed(edges)))
  links.push(link)
  return link
}
async function connected(...connecting: (CloudLink | EdgeLink)[]): Promise<void> {
  for (const link of connecting) link.start()
  await until('the links', () => connecting.every((link) => link.connected))
}

beforeEach(async () => {
  installation = await createTestInstallation()
  log.lines.length = 0
  await startBroker(0)
})
afterEach(async () => {
  await Promise.all(links.splice(0).map((link) => link.stop()))
  await broker.stop()
  await installation.remove()
})

describe('the link', () => {
  it('carries desired state, reports, batches and confirmations', async () => {
    const cloud = cloudLink()
    const edge = await edgeLink(7)
    const heard: unknown[] = []
    cloud.onBatch(async (edgeId, payload) => {
      heard.push(['batch', edgeId, payload.length])
      await cloud.publishAnswer(edgeId, confirmed('01890a5d-ac96-774b-bcce-b302099a8057'))
    })
    cloud.onReport((edgeId, relato) => void heard.push(['report', edgeId, relato]))
    cloud.onPresence((edgeId, online) => void heard.push(['presence', edgeId, online]))
    edge.onEcho((eco) => void heard.push(['echo', eco]))
    edge.onDesired((desejado) => void heard.push(['desired', desejado]))
    edge.onConfirmations(({ itens }) => void heard.push(['confirmed', itens[0]?.id]))

    await connected(cloud)
    await cloud.publishDesired(7, desired)
    await connected(edge)
    await until('the retained desired state', () => heard.length === 2)
    expect(heard.splice(0)).toEqual(
      expect.arrayContaining([
        ['desired', desired],
        ['presence', 7, true],
      ]),
    )

    await edge.publishBatch(Buffer.alloc(400_000))
    await edge.publishReport(report)
    await until('the answers', () => heard.length === 3)
    expect(heard.splice(0)).toEqual(
      expect.arrayContaining([
        ['batch', 7, 400_000],
        ['confirmed', '01890a5d-ac96-774b-bcce-b302099a8057'],
        ['report', 7, report],
      ]),
    )
    const echo: Eco = { tipo: 'eco', v: 2, t1: report.enviado_em, t2: 1_790_000_000_020, t3: 1_790_000_000_030 }
    await cloud.publishAnswer(7, echo)
    await until('the echo', () => heard.length === 1)
    expect(heard.splice(0)).toEqual([['echo', echo]])

    await edge.stop()
    await until('the goodbye', () => heard.length === 1)
    expect(heard).toEqual([['presence', 7, false]])
  })

  it('clears a desired state, and the edge then receives none', async () => {
    const cloud = cloudLink()
    await connected(cloud)
    await cloud.publishDesired(7, desired)
    await cloud.publishDesired(7, null)
    const edge = await edgeLink(7)
    const heard: Desejado[] = []
    edge.onDesired((desejado) => void heard.push(desejado))
    await connected(edge)
    await cloud.publishDesired(7, null)
    await cloud.publishDesired(7, { ...desired, versao: 9 })
    await until('the next one', () => heard.length > 0)
    expect(heard).toEqual([{ ...desired, versao: 9 }])
  })

  it('handles the batches of one edge in order, one at a time, without delay for another edge', async () => {
    const cloud = cloudLink()
    const [one, two] = [await edgeLink(1), await edgeLink(2)]
    const gate = Promise.withResolvers<void>()
    const events: string[] = []
    cloud.onBatch(async (edgeId, payload) => {
      events.push(`${edgeId}:${payload}>`)
      if (edgeId === 1) await gate.promise
      if (String(payload) === 'b') throw new Error('cannot store')
      events.push(`${edgeId}:${payload}<`)
    })
    await connected(cloud, one, two)
    for (const text of ['a', 'b', 'c']) await one.publishBatch(Buffer.from(text))
    await two.publishBatch(Buffer.from('x'))
    await until('the other edge', () => events.includes('2:x<'))
    expect(events.filter((event) => event.startsWith('1'))).toEqual(['1:a>'])
    gate.resolve()
    await until('the rest', () => events.includes('1:c<'))
    expect(events.filter((event) => event.startsWith('1'))).toEqual(['1:a>', '1:a<', '1:b>', '1:c>', '1:c<'])
    expect(log.lines.some((line) => line.includes('batch not processed'))).toBe(true)
  })

  it('drops malformed messages with one log line a topic, without content', async () => {
    const cloud = cloudLink()
    const edge = await edgeLink(7)
    const [reports, answers]: [Relato[], string[]] = [[], []]
    cloud.onReport((_edgeId, relato) => void reports.push(relato))
    edge.onConfirmations(({ itens }) => void answers.push(...itens.map(({ id }) => id)))
    await connected(cloud, edge)
    const raw = mqtt.connect({
      protocol: 'mqtts',
      host: '127.0.0.1',
      port,
      ...(await installation.edge(8)),
      clientId: 'edge-8',
      protocolVersion: 4,
      keepalive: 30,
      reconnectPeriod: 0,
    })
    for (const payload of ['', '{"segredo"', '[]', 'null', '{"v":2}', '\u0000\uffff']) {
      await raw.publishAsync(topics(8).renovacao, payload, { qos: 1 })
      await raw.publishAsync(topics(8).presenca, payload, { qos: 1, retain: true })
    }
    await raw.publishAsync(topics(8).relato, '{"segredo"', { qos: 1 })
    await raw.endAsync()
    await edge.publishReport(report)
    await until('the good report', () => reports.length === 1)
    const lines = log.lines.filter((line) => line.includes('unreadable'))
    // Thirteen messages on three topics: repetitions within ten seconds are counted.
    expect(lines).toHaveLength(3)
    expect(lines.join()).not.toContain('segredo')
    expect(answers).toEqual([])
    expect(edge.connected && cloud.connected).toBe(true)
  })

  it('a listener that throws or rejects affects neither the link nor other listeners', async () => {
    const cloud = cloudLink()
    const edge = await edgeLink(7)
    let heard = 0
    cloud.onReport(() => {
      throw new Error('first')
    })
    cloud.onReport(() => Promise.reject(new Error('second')))
    cloud.onReport(() => {
      heard += 1
    })
    await connected(cloud, edge)
    await edge.publishReport(report)
    await until('the third listener', () => heard === 1)
    expect(log.lines.filter((line) => line.includes('link listener failed'))).toHaveLength(2)
    expect(cloud.connected).toBe(true)
  })
})

describe('when the connection is lost', () => {
  it('both ends reconnect and subscribe again after a restart of the broker', async () => {
    const cloud = cloudLink()
    const edge = await edgeLink(7)
    const states: boolean[] = []
    const versions: number[] = []
    let generation = 0
    edge.onConnection((state) => void states.push(state))
    edge.onDesired(({ versao }) => void versions.push(versao))
    cloud.onConnected(async () => {
      generation += 1
      await cloud.publishDesired(7, { ...desired, versao: generation })
    })
    await connected(cloud, edge)
    await until('the first desired state', () => versions.includes(1))

    await broker.stop()
    await until('the loss', () => !edge.connected && !cloud.connected)
    await expect(edge.publishBatch(Buffer.from('x'))).rejects.toThrow('not connected')
    await expect(edge.publishReport(report)).rejects.toThrow('not connected')
    await expect(cloud.publishAnswer(7, confirmed())).rejects.toThrow('not connected')

    // The new broker starts empty, as after a crash; the cloud publishes the retained states again.
    await startBroker(port, [])
    await until('the return', () => edge.connected && cloud.connected)
    await until('the second desired state', () => versions.includes(2))
    expect(states).toEqual([true, false, true])
    const batches: string[] = []
    cloud.onBatch(async (_edgeId, payload) => void batches.push(String(payload)))
    await edge.publishBatch(Buffer.from('after'))
    await until('a batch', () => batches.length === 1)
    // Messages that were rejected while offline were not queued anywhere.
    expect(batches).toEqual(['after'])
  })

  it('retries while there is no broker, and stops at once on request', async () => {
    await broker.stop()
    const edge = await edgeLink(7)
    edge.start()
    const attempts = () => log.lines.filter((line) => line.includes('link not connected')).length
    await until('several attempts', () => attempts() >= 5)
    const before = attempts()
    await edge.stop()
    // At most the attempt under way ends; no further one is awaited.
    expect(attempts() - before).toBeLessThanOrEqual(1)
    await startBroker(port)
  })

  it('a publish whose PUBACK never comes fails when the connection ends', async () => {
    const proxy = await createProxy(port)
    const edge = await edgeLink(7, { url: proxy.url })
    await connected(edge)
    proxy.answers = false
    const sending = edge.publishBatch(Buffer.from('x'))
    const outcome = expect(sending).rejects.toThrow('link closed')
    proxy.cut()
    await outcome
    await proxy.close()
  })

  it('stops in time on a dead connection and leaves no open socket', async () => {
    const proxy = await createProxy(port)
    const edge = await edgeLink(7, { url: proxy.url })
    await connected(edge)
    proxy.answers = false
    proxy.requests = false
    await edge.stop()
    // It does not wait until the keep-alive has found out.
    expect(log.lines.join('\n')).not.toContain('o broker não respondeu a tempo')
    await until('the end of its socket', () => proxy.open() === 0)
    await proxy.close()
  })

  it('detects a dead connection that is not closed', async () => {
    const proxy = await createProxy(port)
    const edge = await edgeLink(7, { url: proxy.url, keepaliveS: 1 })
    const cloud = cloudLink()
    const presence: boolean[] = []
    cloud.onPresence((_edgeId, online) => void presence.push(online))
    await connected(cloud, edge)
    proxy.answers = false
    proxy.requests = false
    await until('the edge notices', () => !edge.connected)
    await until('the broker notices', () => presence.includes(false))
    proxy.answers = true
    proxy.requests = true
    // Attempts during the silence lost bytes, so their connections never recover.
    proxy.cut()
    await until('the return', () => edge.connected && presence.at(-1) === true)
    await proxy.close()
  })

  it('a picture on a narrow uplink takes longer than the keep-alive and arrives', async () => {
    const proxy = await createProxy(port)
    const edge = await edgeLink(7, { url: proxy.url, keepaliveS: 1 })
    const cloud = cloudLink()
    const sizes: number[] = []
    let losses = 0
    cloud.onBatch(async (_edgeId, payload) => void sizes.push(payload.length))
    edge.onConnection((state) => {
      if (!state) losses += 1
    })
    await connected(cloud, edge)
    proxy.bytesPerSecond = 100_000
    const started = performance.now()
    await edge.publishBatch(Buffer.alloc(500_000))
    await until('the batch', () => sizes.length === 1)
    expect(performance.now() - started).toBeGreaterThan(3_000)
    expect({ sizes, losses }).toEqual({ sizes: [500_000], losses: 0 })
    await proxy.close()
  })

  it('a message behind a large one gets the time limit of both', async () => {
    const proxy = await createProxy(port)
    const { hostname: host, port: proxyPort } = new URL(proxy.url)
    const session = openSession({
      host,
      port: Number(proxyPort),
      clientId: 'edge-7',
      tls: await installation.edge(7),
      keepaliveS: 15,
      subscriptions: [topics(7).desejado],
      will: undefined,
      birth: undefined,
      onMessage: () => {},
      signal: new AbortController().signal,
    })
    expect(await session.ready).toEqual({ ok: true })
    proxy.bytesPerSecond = 100_000
    const large = session.publish(topics(7).candidatos, Buffer.alloc(200_000), { qos: 1 })
    await session.publish(topics(7).candidatos, Buffer.alloc(10), { qos: 1, timeoutMs: 300 })
    await large
    // Nothing is ahead of this message, so it gets only its own time limit.
    proxy.requests = false
    await expect(session.publish(topics(7).candidatos, Buffer.alloc(10), { qos: 1, timeoutMs: 300 })).rejects.toThrow()
    expect(await session.closed).toEqual({ reason: 'o broker não respondeu a tempo', wasTaken: true, byBroker: false })
    await proxy.close()
  })

  it('an edge with the same identity takes over, and the back-off of both grows', async () => {
    const slow = { backoff: { minMs: 20, maxMs: 10_000 } }
    const [first, second] = [await edgeLink(7, slow), await edgeLink(7, slow)]
    const started = performance.now()
    first.start()
    second.start()
    await until('twelve losses', () => log.lines.filter((line) => line.includes('link lost')).length >= 12)
    // Eleven consecutive waits; each link's wait doubles from 20 ms and is at least half of that.
    expect(performance.now() - started).toBeGreaterThan(900)
  })
})

describe('trust of the link', () => {
  it('rejects a broker of another installation', async () => {
    const foreign = await createTestInstallation()
    const other = createBroker({
      host: '127.0.0.1',
      port: 0,
      tls: { ...foreign.broker, ca: installation.broker.ca },
      log,
    })
    const { porta } = await other.start()
    const edge = await edgeLink(7, { url: url(porta) })
    edge.start()
    await until('the refusal', () => log.lines.some((line) => /link not connected.*(certificate|issuer)/.test(line)))
    expect(edge.connected).toBe(false)
    await edge.stop()
    await other.stop()
    await foreign.remove()
  })

  it('rejects a broker under a name that its certificate does not contain', async () => {
    const edge = await edgeLink(7, { url: `mqtts://127.0.0.2:${port}` })
    const everywhere = createBroker({ host: '127.0.0.2', port, tls: installation.broker, log })
    await everywhere.start()
    edge.start()
    await until('the refusal', () => log.lines.some((line) => /link not connected.*(altnames|cert's list)/i.test(line)))
    expect(edge.connected).toBe(false)
    await everywhere.stop()
  })

  it('rejects an address without TLS', async () => {
    for (const address of ['mqtt://127.0.0.1:1883', 'http://x', 'mqtts://', 'lixo']) {
      await expect(edgeLink(7, { url: address })).rejects.toThrow('mqtts://')
    }
  })
})
