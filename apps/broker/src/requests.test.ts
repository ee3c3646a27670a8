import { randomUUID } from 'node:crypto'
import { decodeAnswer, encodeAnswer } from '@vigia/link/answer'
import { type CloudLink, createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { MAX_RECORD_BYTES } from '@vigia/link/limits'
import { createMemoryLog, createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { topics } from '@vigia/link/topics'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Broker, createBroker } from './app.ts'

/** Commands and their answers over the embedded broker, with real ends. */
const backoff = { minMs: 20, maxMs: 100 }
const edges = [7, 8]
const none = Buffer.alloc(0)
const command = () => ({ id: randomUUID(), comando: 'jwe' })
const asking = { prazoMs: 20_000, signal: new AbortController().signal }

let installation: TestInstallation
let broker: Broker
let port: number
let log: ReturnType<typeof createMemoryLog>
const links: (CloudLink | EdgeLink)[] = []
const clients: MqttClient[] = []
const url = () => `mqtts://127.0.0.1:${port}`

beforeEach(async () => {
  installation = await createTestInstallation()
  log = createMemoryLog()
  broker = createBroker({ host: '127.0.0.1', port: 0, tls: installation.broker, log: createMemoryLog() })
  port = (await broker.start()).porta
  await installation.admit(url(), edges)
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true)
  await Promise.all(links.splice(0).map((link) => link.stop()))
  await broker.stop()
  await installation.remove()
})

async function connected<Link extends CloudLink | EdgeLink>(link: Link): Promise<Link> {
  links.push(link)
  link.start()
  await until('the link', () => link.connected)
  return link
}
const cloudLink = () => {
  const link = createCloudLink({ url: url(), tls: installation.cloud, log, backoff })
  link.onConnected(async () => link.publishAllowed(await installation.allowed(edges)))
  return connected(link)
}
const edgeTls = async (edgeId: number) => {
  const tls = await installation.edge(edgeId)
  return () => tls
}
const edgeLink = async (handler: Parameters<EdgeLink['onRequest']>[0], edgeId = 7) => {
  const link = createEdgeLink({ url: url(), edgeId, tls: await edgeTls(edgeId), log, backoff })
  link.onRequest(handler)
  return connected(link)
}

/** A client that sends arbitrary messages, and the messages that it receives. */
async function raw(name: string, subscription?: string) {
  const tls = name === 'cloud' ? installation.cloud : await installation.edge(Number(name.slice('edge-'.length)))
  const client = mqtt.connect({
    protocol: 'mqtts',
    host: '127.0.0.1',
    port,
    ...tls,
    clientId: name,
    protocolVersion: 4,
    keepalive: 30,
    reconnectPeriod: 0,
    ...(name === 'cloud'
      ? {}
      : { will: { topic: `vigia/v1/edges/${name}/presenca`, payload: offline, qos: 1, retain: true } }),
  })
  clients.push(client)
  client.on('error', () => {})
  const heard: Buffer[] = []
  client.on('message', (_, payload) => heard.push(payload))
  await new Promise((resolve) => client.once('connect', resolve))
  if (subscription) await client.subscribeAsync(subscription, { qos: 1 })
  return { client, heard, asked: () => heard.map((payload) => JSON.parse(String(payload))) }
}
const offline = Buffer.from('{"v":1,"online":false}')
const success = (id: string, resultado: object = {}) =>
  encodeAnswer({ resposta: { v: 1, id, ok: true, resultado }, corpo: none }) ?? none

describe('a command', () => {
  it('reaches only its edge, and the answer returns with the picture', async () => {
    const cloud = await cloudLink()
    const picture = Buffer.alloc(3 * 1024 * 1024, 7)
    const heard: unknown[] = []
    await edgeLink(async (comando, { id, prazoMs }) => {
      heard.push([id, comando, prazoMs])
      return { ok: true, resultado: { largura: 4 }, corpo: picture }
    })
    await edgeLink(async () => {
      heard.push('the other edge')
      return { ok: true, resultado: {} }
    }, 8)
    const one = command()
    const outcome = await cloud.request(7, one, asking)
    expect(outcome).toMatchObject({ kind: 'resposta', resposta: { ok: true, resultado: { largura: 4 } } })
    expect(outcome.kind === 'resposta' && outcome.corpo.equals(picture)).toBe(true)
    // Shorter than the cloud's deadline, so that the edge's answer at its own deadline arrives in time.
    expect(heard).toEqual([[one.id, 'jwe', 18_500]])
  })

  it('that arrives twice runs once and is answered twice', async () => {
    let runs = 0
    await edgeLink(async () => {
      runs += 1
      return { ok: true, resultado: { runs } }
    })
    const { client, heard } = await raw('cloud', 'vigia/v1/edges/+/respostas')
    const pedido = { v: 1, tipo: 'comando', id: randomUUID(), prazo_ms: 20_000, comando: 'jwe' }
    for (const times of [1, 2]) {
      await client.publishAsync(topics(7).pedidos, JSON.stringify(pedido), { qos: 1 })
      await until('the answer', () => heard.length === times)
    }
    for (const answer of heard) expect(decodeAnswer(answer)).toMatchObject({ resposta: { resultado: { runs: 1 } } })
  })

  it('with a lost answer ends at the deadline, and a late answer has no effect', async () => {
    const cloud = await cloudLink()
    const { client, asked } = await raw('edge-7', topics(7).pedidos)
    expect(await cloud.request(7, command(), { ...asking, prazoMs: 300 })).toEqual({ kind: 'prazo_esgotado' })
    await until('the cancellation', () => asked().length === 2)
    expect(asked()).toMatchObject([
      { tipo: 'comando', prazo_ms: 150 },
      { tipo: 'cancelamento', id: asked()[0].id },
    ])
    await client.publishAsync(topics(7).respostas, success(asked()[0].id), { qos: 1 })
    await until('the late answer', () => log.lines.some((line) => line.includes('answer without a pending request')))
    expect(log.lines.join()).not.toContain('unreadable')
  })

  it('is cancelled on the edge when the requester leaves', async () => {
    const cloud = await cloudLink()
    const started = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    await edgeLink((_, { signal }) => {
      started.resolve()
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted.resolve()
          reject(signal.reason)
        })
      })
    })
    const away = new AbortController()
    const asked = cloud.request(7, command(), { prazoMs: 60_000, signal: away.signal })
    await started.promise
    away.abort()
    expect(await asked).toEqual({ kind: 'cancelado' })
    await aborted.promise
    expect(await cloud.request(7, command(), { prazoMs: 60_000, signal: away.signal })).toEqual({ kind: 'cancelado' })
  })

  it('is not answered by another edge', async () => {
    const cloud = await cloudLink()
    const { client, asked } = await raw('edge-7', topics(7).pedidos)
    const other = await raw('edge-8')
    const outcome = cloud.request(7, command(), asking)
    await until('the command', () => asked().length === 1)
    await other.client.publishAsync(topics(8).respostas, success(asked()[0].id, { de: 8 }), { qos: 1 })
    await until('the false answer', () => log.lines.some((line) => line.includes('answer without a pending request')))
    await client.publishAsync(topics(7).respostas, success(asked()[0].id, { de: 7 }), { qos: 1 })
    expect(await outcome).toMatchObject({ kind: 'resposta', resposta: { resultado: { de: 7 } } })
  })

  it('with an invalid answer ends at once where the id is readable; other invalid answers are dropped', async () => {
    const cloud = await cloudLink()
    const { client, asked } = await raw('edge-7', topics(7).pedidos)
    const outcome = cloud.request(7, command(), asking)
    await until('the command', () => asked().length === 1)
    const later = JSON.stringify({ v: 2, id: asked()[0].id })
    const framed = Buffer.concat([Buffer.from([0, 0, 0, later.length]), Buffer.from(later)])
    for (const payload of [none, Buffer.from('lixo'), framed]) {
      await client.publishAsync(topics(7).respostas, payload, { qos: 1 })
    }
    expect(await outcome).toEqual({ kind: 'resposta_ilegivel' })
    expect(log.lines.filter((line) => line.includes('unreadable message dropped'))).toHaveLength(1)
  })

  it('with an answer that is too large fails with a reason, and the link stays up', async () => {
    const cloud = await cloudLink()
    let bytes = MAX_RECORD_BYTES
    await edgeLink(async () => ({ ok: true, resultado: {}, corpo: Buffer.alloc(bytes) }))
    expect(await cloud.request(7, command(), asking)).toMatchObject({ resposta: { ok: false, falha: 'interno' } })
    bytes -= 1024
    expect(await cloud.request(7, command(), asking)).toMatchObject({ resposta: { ok: true } })
  })

  it('cannot be requested twice while it is pending', async () => {
    const cloud = await cloudLink()
    const { client, asked } = await raw('edge-7', topics(7).pedidos)
    const one = command()
    const outcome = cloud.request(7, one, asking)
    await expect(cloud.request(7, one, asking)).rejects.toThrow(RangeError)
    await until('the command', () => asked().length === 1)
    await client.publishAsync(topics(7).respostas, success(one.id), { qos: 1 })
    expect(await outcome).toMatchObject({ kind: 'resposta' })
  })

  it('is refused above 32 pending commands of one edge', async () => {
    const cloud = await cloudLink()
    const { client, asked } = await raw('edge-7', topics(7).pedidos)
    const outcomes = Array.from({ length: 32 }, () => cloud.request(7, command(), asking))
    expect(await cloud.request(7, command(), asking)).toEqual({ kind: 'ocupado' })
    await until('the commands', () => asked().length === 32)
    for (const { id } of asked()) await client.publishAsync(topics(7).respostas, success(id), { qos: 1 })
    for (const outcome of outcomes) expect(await outcome).toMatchObject({ kind: 'resposta' })
  })

  it.each([0, -1, 1.5, Number.NaN, 120_001])('rejects a deadline of %d ms', async (prazoMs) => {
    const cloud = createCloudLink({ url: url(), tls: installation.cloud, log })
    await expect(cloud.request(7, command(), { ...asking, prazoMs })).rejects.toThrow(RangeError)
  })
})

describe('a request ends before its deadline', () => {
  it('when the edge is offline or goes offline; after its return requests work again', async () => {
    const cloud = await cloudLink()
    const { client, asked } = await raw('edge-7', topics(7).pedidos)
    const outcome = cloud.request(7, command(), asking)
    await until('the command', () => asked().length === 1)
    client.stream.destroy()
    expect(await outcome).toEqual({ kind: 'edge_offline' })
    expect(await cloud.request(7, command(), asking)).toEqual({ kind: 'edge_offline' })
    const present: boolean[] = []
    cloud.onPresence((_, online) => void present.push(online))
    await edgeLink(async () => ({ ok: true, resultado: {} }))
    await until('its presence', () => present.includes(true))
    expect(await cloud.request(7, command(), asking)).toMatchObject({ resposta: { ok: true } })
  })

  it('when the cloud has no link or loses it', async () => {
    const cloud = await cloudLink()
    const { asked } = await raw('edge-7', topics(7).pedidos)
    const outcome = cloud.request(7, command(), asking)
    await until('the command', () => asked().length === 1)
    await broker.stop()
    expect(await outcome).toEqual({ kind: 'sem_conexao' })
    expect(await cloud.request(7, command(), asking)).toEqual({ kind: 'sem_conexao' })
  })

  it('when the edge does not know the command', async () => {
    const cloud = await cloudLink()
    await connected(createEdgeLink({ url: url(), edgeId: 7, tls: await edgeTls(7), log, backoff }))
    const outcome = await cloud.request(7, command(), asking)
    expect(outcome).toMatchObject({ resposta: { ok: false, falha: 'comando_desconhecido' } })
  })
})
