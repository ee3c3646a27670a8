import tls from 'node:tls'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { createMemoryLog, until } from '@vigia/link/testing/installation'
import { CERTIFICATES_TOPIC, topics } from '@vigia/link/topics'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Broker, createBroker } from './app.ts'
import { type BrokerBench, createBrokerBench, ended, granted } from './testing/broker-client.ts'

let bench: BrokerBench
const links: EdgeLink[] = []
beforeEach(async () => {
  bench = await createBrokerBench()
})
afterEach(async () => {
  await Promise.all(links.splice(0).map((link) => link.stop()))
  await bench.close()
})

const url = (port = bench.port) => `mqtts://127.0.0.1:${port}`
/** Publishes a list with these edges only. */
const admit = (...edgeIds: number[]) => bench.installation.admit(url(), edgeIds)

async function boxOf(edgeId: number, port = bench.port) {
  const log = createMemoryLog()
  const identity = await bench.installation.edge(edgeId)
  const link = createEdgeLink({ url: url(port), edgeId, tls: () => identity, log, backoff: { minMs: 20, maxMs: 50 } })
  links.push(link)
  link.start()
  const refusals = () => log.lines.filter((line) => /link not connected.*Not authorized/.test(line)).length
  return { link, refusals }
}

describe('a deleted edge', () => {
  it('is disconnected at once and refused; other edges are not affected', async () => {
    const [deleted, other] = [await boxOf(7), await boxOf(8)]
    await until('both', () => deleted.link.connected && other.link.connected)
    let losses = 0
    other.link.onConnection(() => {
      losses += 1
    })

    await admit(8)
    await until('the cut', () => !deleted.link.connected)
    await until('several attempts', () => deleted.refusals() >= 3)
    expect({ connected: other.link.connected, losses }).toEqual({ connected: true, losses: 0 })

    await admit(7, 8)
    await until('the return', () => deleted.link.connected)
  })

  it('is disconnected, and its last will published, before the broker acknowledges the list', async () => {
    const cloud = await bench.connect('cloud')
    await cloud.subscribeAsync(topics(7).presenca.replace('edge-7', '+'), { qos: 1 })
    const will = { topic: topics(7).presenca, payload: Buffer.from('gone'), qos: 1, retain: true } as const
    const edge = await bench.connect('edge-7', { will })
    const spoken = new Promise((resolve) => cloud.once('message', (_topic, payload) => resolve(String(payload))))
    await cloud.publishAsync(CERTIFICATES_TOPIC, JSON.stringify(await bench.installation.allowed([8])), { qos: 1 })
    await expect(bench.connect('edge-7')).rejects.toThrow(/Not authorized/)
    expect(await spoken).toBe('gone')
    await ended(edge)
  })
})

describe('a replaced edge', () => {
  it('is disconnected and cannot end the session of its successor', async () => {
    const oldTls = await bench.installation.edge(7)
    const old = await bench.connect('edge-7')
    await bench.installation.replace(7)
    await admit(7)
    await ended(old)

    const fresh = await bench.connect('edge-7')
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(bench.connect('edge-7', oldTls)).rejects.toThrow(/Not authorized/)
    }
    // A round trip on the session proves that the broker still has it.
    expect(await granted(fresh, topics(7).confirmacoes)).toBe(1)
  })

  it('cannot exhaust the connections of its successor', async () => {
    const oldTls = await bench.installation.edge(7)
    await bench.installation.replace(7)
    await admit(7)
    // Handshakes without a CONNECT.
    const idle = Array.from({ length: 20 }, () => tls.connect({ host: '127.0.0.1', port: bench.port, ...oldTls }))
    for (const socket of idle) socket.on('error', () => {}).resume()
    try {
      await until('a full house', () => bench.lines.some((line) => line.includes('too many connections')))
      const fresh = await bench.connect('edge-7')
      expect(await granted(fresh, topics(7).confirmacoes)).toBe(1)
    } finally {
      for (const socket of idle) socket.destroy()
    }
  })
})

describe('the list', () => {
  it('is required: before it only the cloud can connect, afterwards the edge connects by itself', async () => {
    const log = createMemoryLog()
    const broker: Broker = createBroker({ host: '127.0.0.1', port: 0, tls: bench.installation.broker, log })
    const { porta } = await broker.start()
    const { link, refusals } = await boxOf(7, porta)
    await until('several attempts', () => refusals() >= 3)
    expect(log.lines.join()).toContain('no list of certificates yet')
    await bench.installation.admit(url(porta), [7])
    await until('the edge', () => link.connected)
    await link.stop()
    await broker.stop()
  })

  it.each(['edge-7', 'edge-8'])('forged by an edge ends its connection and changes nothing (with %s)', async (name) => {
    const forger = await bench.connect('edge-7')
    const other = await bench.connect('edge-8')
    const list = { v: 2, certificados: { [name]: ['00'.repeat(32)] } }
    forger.publish(CERTIFICATES_TOPIC, JSON.stringify(list), { qos: 1, retain: true })
    await ended(forger)
    expect(await granted(other, topics(8).confirmacoes)).toBe(1)
    await bench.connect('edge-7')
  })

  it.each(['', 'lixo', '{"v":2}', '{"v":2,"certificados":{"edge-7":["AB"]}}', '{"v":2,"certificados":{"cloud":[]}}'])(
    'that is unreadable (%j) is not acknowledged, and the previous one stays',
    async (payload) => {
      const edge = await bench.connect('edge-7')
      const cloud = await bench.connect('cloud')
      cloud.publish(CERTIFICATES_TOPIC, payload, { qos: 1, retain: true })
      await ended(cloud)
      expect(await granted(edge, topics(7).confirmacoes)).toBe(1)
      await bench.connect('edge-8')
    },
  )

  it('is not delivered to an edge', async () => {
    expect(await granted(await bench.connect('edge-7'), CERTIFICATES_TOPIC)).toBe(128)
  })
})
