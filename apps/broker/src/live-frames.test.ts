import type { QuadroAoVivo } from '@vigia/contracts/pedidos'
import { type CloudLink, createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { encodeFramed } from '@vigia/link/framed'
import { MAX_RECORD_BYTES } from '@vigia/link/limits'
import { until } from '@vigia/link/testing/installation'
import { topics } from '@vigia/link/topics'
import { freshFixture } from '@vigia/testing/fixture'
import mqtt from 'mqtt'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startEmbeddedBroker } from './testing/embedded-broker.ts'
import { createProxy } from './testing/proxy.ts'

/** Live pictures over the embedded broker. */
const backoff = { minMs: 20, maxMs: 100 }
const quadro: QuadroAoVivo = { v: 1, camera_id: 3, largura: 640, altura: 360 }

const site = freshFixture(startEmbeddedBroker)
let cloud: CloudLink
let frames: [number, QuadroAoVivo, Buffer][]
const edges: EdgeLink[] = []

beforeEach(async () => {
  cloud = createCloudLink({ url: site.url, tls: site.installation.cloud, log: site.log, backoff })
  frames = []
  cloud.onLiveFrame((...frame) => void frames.push(frame))
  cloud.start()
  await until('the cloud', () => cloud.connected)
})
afterEach(async () => {
  await Promise.all([cloud, ...edges.splice(0)].map((link) => link.stop()))
})

async function edgeLink(options: { url?: string; keepaliveS?: number } = {}): Promise<EdgeLink> {
  const tls = await site.installation.edge(7)
  const link = createEdgeLink({ url: site.url, edgeId: 7, tls: () => tls, log: site.log, backoff, ...options })
  edges.push(link)
  link.start()
  await until('the edge', () => link.connected)
  return link
}
/** Offers frames until one is accepted. */
const shown = (edge: EdgeLink, jpeg: Buffer) => until('its turn', () => edge.publishLiveFrame(quadro, jpeg))

describe('live frames', () => {
  it('arrive unchanged and in order', async () => {
    const edge = await edgeLink()
    const sent = [1, 20_000, 900_000].map((size) => Buffer.alloc(size, size % 251))
    for (const jpeg of sent) await shown(edge, jpeg)
    await until('the frames', () => frames.length === 3)
    expect(frames).toEqual(sent.map((jpeg) => [7, quadro, jpeg]))
  })

  it('are dropped without a link, and when the link does not accept them', async () => {
    const edge = await edgeLink()
    expect(edge.publishLiveFrame(quadro, Buffer.alloc(MAX_RECORD_BYTES))).toBe(false)
    await edge.stop()
    expect(edge.publishLiveFrame(quadro, Buffer.alloc(10))).toBe(false)
    expect(frames).toEqual([])
  })

  it('are never queued: on a narrow uplink at most one is in flight', async () => {
    const proxy = await createProxy(site.port)
    const edge = await edgeLink({ url: proxy.url, keepaliveS: 1 })
    const batches: number[] = []
    cloud.onBatch(async (_, payload) => void batches.push(payload.length))
    proxy.bytesPerSecond = 100_000
    expect(edge.publishLiveFrame(quadro, Buffer.alloc(300_000))).toBe(true)
    const started = performance.now()
    // The socket buffer accepts a whole frame at once, long before it is sent.
    while (performance.now() - started < 1_000) {
      expect(edge.publishLiveFrame(quadro, Buffer.alloc(300_000))).toBe(false)
      await new Promise(setImmediate)
    }
    await edge.publishBatch(Buffer.alloc(1_000))
    await until('the batch', () => batches.length === 1)
    expect(frames).toHaveLength(1)
    // The frame took longer than the keep-alive.
    expect(edge.status).toEqual({ connected: true, connections: 1, lastLoss: null })
    await shown(edge, Buffer.alloc(100))
    await until('the next one', () => frames.length === 2)
    await proxy.close()
  })

  it('are dropped while a batch is being sent', async () => {
    const proxy = await createProxy(site.port)
    const edge = await edgeLink({ url: proxy.url })
    proxy.bytesPerSecond = 4_000_000
    const sending = edge.publishBatch(Buffer.alloc(5_000_000))
    expect(edge.publishLiveFrame(quadro, Buffer.alloc(10_000))).toBe(false)
    await sending
    await shown(edge, Buffer.alloc(10_000))
    await proxy.close()
  })

  it('that are unreadable are dropped with one log line for all', async () => {
    const client = mqtt.connect({
      protocol: 'mqtts',
      host: '127.0.0.1',
      port: site.port,
      ...(await site.installation.edge(7)),
      clientId: 'edge-7',
      protocolVersion: 4,
      keepalive: 30,
      reconnectPeriod: 0,
    })
    const bytes = (header: object, body = 'jpeg') => encodeFramed(header, [Buffer.from(body)]) ?? expect.fail()
    const unreadable = [Buffer.alloc(0), bytes({ ...quadro, v: 2 }), bytes(quadro, ''), bytes(quadro).subarray(0, 20)]
    for (const payload of [...unreadable, bytes(quadro)]) {
      await client.publishAsync(topics(7).aovivo, payload, { qos: 0 })
    }
    await until('the good one', () => frames.length === 1)
    expect(site.log.lines.filter((line) => line.includes('unreadable message dropped'))).toHaveLength(1)
    await client.endAsync()
  })
})
