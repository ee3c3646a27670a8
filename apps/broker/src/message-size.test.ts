import type { Desejado } from '@vigia/contracts/edge-state'
import { type CloudLink, createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { MAX_PACKET_BYTES, MessageTooLargeError, packetBytes } from '@vigia/link/limits'
import { createMemoryLog, createTestInstallation, type TestInstallation, until } from '@vigia/link/testing/installation'
import { topics } from '@vigia/link/topics'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Broker, createBroker } from './app.ts'

/** The largest message of either end passes the embedded broker; one byte more is rejected before sending. */
const log = createMemoryLog()
let installation: TestInstallation
let broker: Broker
let cloud: CloudLink
let edge: EdgeLink

beforeAll(async () => {
  installation = await createTestInstallation()
  broker = createBroker({ host: '127.0.0.1', port: 0, tls: installation.broker, log })
  const url = `mqtts://127.0.0.1:${(await broker.start()).porta}`
  await installation.admit(url, [7])
  const tls = await installation.edge(7)
  cloud = createCloudLink({ url, tls: installation.cloud, log })
  edge = createEdgeLink({ url, edgeId: 7, tls: () => tls, log })
  cloud.start()
  edge.start()
  await until('the links', () => cloud.connected && edge.connected)
})
afterAll(async () => {
  await Promise.all([cloud.stop(), edge.stop()])
  await broker.stop()
  await installation.remove()
})

const largest = (topic: string) => MAX_PACKET_BYTES - packetBytes(topic, Buffer.alloc(0))

it('to the cloud', async () => {
  const batches: number[] = []
  cloud.onBatch(async (_edgeId, payload) => void batches.push(payload.length))
  const most = largest(topics(7).candidatos)
  await edge.publishBatch(Buffer.alloc(most))
  await until('the batch', () => batches.length === 1)
  await expect(edge.publishBatch(Buffer.alloc(most + 1))).rejects.toThrow(MessageTooLargeError)
  expect(batches).toEqual([most])
})

it('to an edge', async () => {
  const named: Desejado = {
    v: 1,
    versao: 1,
    cameras: [],
    limite_reenvio_kbps: null,
    identidade_duplicada: false,
    recursos: [],
  }
  const state = (bytes: number) => {
    const padded = { ...named, ignorado: '' }
    return { ...padded, ignorado: 'x'.repeat(bytes - JSON.stringify(padded).length) }
  }
  const heard: number[] = []
  edge.onDesired(({ versao }) => void heard.push(versao))
  const most = largest(topics(7).desejado)
  await cloud.publishDesired(7, state(most))
  await until('the state', () => heard.length === 1)
  await expect(cloud.publishDesired(7, state(most + 1))).rejects.toMatchObject({ bytes: MAX_PACKET_BYTES + 1 })
})

it('and the sessions of both sides stay up', () => {
  expect(edge.status).toEqual({ connected: true, connections: 1, lastLoss: null })
  expect(cloud.connected).toBe(true)
  expect(log.lines.filter((line) => line.includes('link lost'))).toEqual([])
})
