import { createCloudLink } from '@vigia/link/cloud-link'
import { encodeFramed } from '@vigia/link/framed'
import { RATES } from '@vigia/link/limits'
import { createMemoryLog, until } from '@vigia/link/testing/installation'
import { CERTIFICATES_TOPIC, everyEdge, topics } from '@vigia/link/topics'
import { expect, it } from 'vitest'
import { createBrokerBench } from './testing/broker-client.ts'

const MIB = 1024 * 1024
const BOXES = 20
const NEIGHBOUR = BOXES + 1
const PER_BOX = 8
const BYTES = 256 * 1024
/** Rates that never hold in this file. */
const fast = { edge: 1e12, empresa: 1e12, root: 1e12 }

const names = ['candidatos', 'extras', 'relato', 'respostas'] as const

it.each(names)(
  'twenty boxes of one Empresa and a slow cloud: a neighbour waits for a short queue only: %s',
  { timeout: 240_000 },
  async (name) => {
    const bench = await createBrokerBench({ rates: { ...RATES, packets: fast, bytes: fast }, stalledMs: 600_000 })
    const cloud = await bench.connect('cloud', { keepalive: 120 })
    const ids = Array.from({ length: NEIGHBOUR }, (_, index) => index + 1)
    const list = { ...(await bench.installation.allowed(ids)), grupos: [-BOXES, -1] }
    await cloud.publishAsync(CERTIFICATES_TOPIC, JSON.stringify(list), { qos: 1 })
    await cloud.subscribeAsync(everyEdge[name], { qos: 1 })
    /** Bytes of the boxes that arrived before the message of the neighbour. */
    let before = 0
    let arrived = false
    cloud.on('message', (topic, payload) => {
      if (topic === topics(NEIGHBOUR)[name]) arrived = true
      else if (!arrived) before += payload.length
    })

    cloud.stream.pause()
    let answered = 0
    const size = name === 'relato' ? BYTES - 1 : BYTES
    for (const id of ids.slice(0, BOXES)) {
      const box = await bench.connect(`edge-${id}`, { keepalive: 120 })
      for (let round = 0; round < PER_BOX; round += 1)
        box.publish(topics(id)[name], Buffer.alloc(size), { qos: 1 }, () => {
          answered += 1
        })
    }
    const neighbour = await bench.connect(`edge-${NEIGHBOUR}`, { keepalive: 120 })
    await until('the queue to the cloud to be full', async () => {
      const sofar = answered
      await new Promise((resolve) => setTimeout(resolve, 300))
      return answered > 0 && answered === sofar
    })
    neighbour.publish(topics(NEIGHBOUR)[name], 'now', { qos: 1 })
    await neighbour.subscribeAsync(topics(NEIGHBOUR).confirmacoes, { qos: 1 })
    cloud.stream.resume()
    await until('the message of the neighbour', () => arrived)
    // The buffers of both sockets hold some MiB. A queue for all would hold most of the 40 MiB of the boxes.
    expect(before).toBeLessThan(20 * MIB)
    await until('all of the boxes', () => answered === BOXES * PER_BOX)
    await bench.close()
  },
)

it('refuses no box of a neighbour when one Empresa has all its connections', async () => {
  const bench = await createBrokerBench({ connections: { edge: 2, empresa: 3, root: 3 } })
  const cloud = await bench.connect('cloud')
  const list = { ...(await bench.installation.allowed([1, 2, 3, 4, 5])), grupos: [-4, -1] }
  await cloud.publishAsync(CERTIFICATES_TOPIC, JSON.stringify(list), { qos: 1 })
  for (const id of [1, 2, 3]) await bench.connect(`edge-${id}`)
  await expect(bench.connect('edge-4')).rejects.toThrow()
  await bench.connect('edge-5')
  await bench.close()
})

it('keeps the retained states of a neighbour when one Empresa has all its own', async () => {
  const bound = { edge: 2, empresa: 3, root: 3, installation: 100 }
  const bytes = { edge: 1e6, empresa: 1e6, root: 1e6, installation: 1e7 }
  const bench = await createBrokerBench({ retained: { messages: bound, bytes } })
  const cloud = await bench.connect('cloud')
  const list = { ...(await bench.installation.allowed([1, 2, 3, 4, 5])), grupos: [-4, -1] }
  await cloud.publishAsync(CERTIFICATES_TOPIC, JSON.stringify(list), { qos: 1 })
  for (const id of [1, 2, 3, 4, 5]) await cloud.publishAsync(topics(id).desejado, `${id}`, { qos: 1, retain: true })
  const found: string[] = []
  for (const id of [1, 4, 5]) {
    const edge = await bench.connect(`edge-${id}`)
    edge.on('message', (_, payload) => found.push(payload.toString()))
    await edge.subscribeAsync(topics(id).desejado, { qos: 1 })
  }
  await until('the state of the neighbour', () => found.includes('5'))
  expect(found).toContain('1')
  expect(found).not.toContain('4')
  await bench.close()
})

it('drops the answers and pictures of an Empresa above its rate, and takes those of a neighbour', async () => {
  const bench = await createBrokerBench()
  const slow = { edge: 1e6, empresa: 0.01, root: 1e6 }
  const log = createMemoryLog()
  const cloud = createCloudLink({
    url: `mqtts://127.0.0.1:${bench.port}`,
    tls: bench.installation.cloud,
    log,
    rates: { packets: slow, bytes: fast },
    lineageOf: (edgeId) => ({ root: 'one', empresa: edgeId < 9 ? 'hostile' : 'neighbour', edge: `${edgeId}` }),
  })
  const from: number[] = []
  cloud.onLiveFrame((edgeId) => void from.push(edgeId))
  cloud.start()
  await until('the cloud', () => cloud.connected)
  const frame = encodeFramed({ v: 1, camera_id: 3, largura: 640, altura: 360 }, [Buffer.from('jpeg')]) ?? expect.fail()
  for (const id of [1, 2, 3]) {
    const box = await bench.connect(`edge-${id}`)
    for (let round = 0; round < 5; round += 1) await box.publishAsync(topics(id).aovivo, frame, { qos: 0 })
    await box.publishAsync(topics(id).respostas, frame, { qos: 1 })
  }
  const neighbour = await bench.connect('edge-9')
  await neighbour.publishAsync(topics(9).aovivo, frame, { qos: 0 })
  await until('the picture of the neighbour', () => from.includes(9))
  expect(from).toHaveLength(2)
  expect(log.lines.filter((line) => line.includes('too many answers or pictures'))).toHaveLength(3)
  await cloud.stop()
  await bench.close()
})
