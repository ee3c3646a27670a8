import { until } from '@vigia/link/testing/installation'
import { CERTIFICATES_TOPIC, edgeTopicNames, everyEdge, isEdgeTopic, topicNames, topics } from '@vigia/link/topics'
import type { MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrokerBench, createBrokerBench, ended, granted, heard } from './testing/broker-client.ts'

/** Attempts with the certificate of edge 8 on the topics of edge 7. */
const cloudWrites = topicNames.filter((name) => !isEdgeTopic(name))

let bench: BrokerBench
let cloud: MqttClient
let owner: MqttClient
/** Messages that the cloud and edge 7 receive on all their topics. */
let heardByThem: string[]
const stranger = () => bench.connect('edge-8')

beforeAll(async () => {
  bench = await createBrokerBench()
  cloud = await bench.connect('cloud')
  owner = await bench.connect('edge-7')
  await cloud.publishAsync(topics(7).desejado, 'secret', { qos: 1, retain: true })
  await owner.publishAsync(topics(7).presenca, 'secret', { qos: 1, retain: true })
  heardByThem = heard(cloud)
  owner.on('message', (topic, payload) => heardByThem.push(`${topic}=${payload}`))
  await cloud.subscribeAsync(
    edgeTopicNames.map((name) => everyEdge[name]),
    { qos: 1 },
  )
  await owner.subscribeAsync(
    cloudWrites.map((name) => topics(7)[name]),
    { qos: 1 },
  )
  await until('what is retained', () => heardByThem.length >= 2)
})
afterAll(() => bench.close())

/** A later, allowed message: earlier messages would have arrived before it. */
async function expectNothingForged(): Promise<void> {
  const other = await bench.connect('edge-9')
  await other.publishAsync(topics(9).relato, 'later', { qos: 1 })
  await cloud.publishAsync(topics(7).confirmacoes, 'later', { qos: 1 })
  await until('what came later', () => heardByThem.filter((message) => message.endsWith('=later')).length >= 2)
  expect(heardByThem.filter((message) => message.includes('forged'))).toEqual([])
  heardByThem.length = 0
}

describe.each(topicNames)('edge 8 and %s of edge 7', (name) => {
  it.each([
    ['QoS 0', { qos: 0 }],
    ['QoS 1', { qos: 1 }],
    ['retained', { qos: 1, retain: true }],
  ] as const)('cannot publish (%s) and is disconnected', async (_what, options) => {
    const client = await stranger()
    client.publish(topics(7)[name], 'forged', options)
    await ended(client)
    await expectNothingForged()
  })

  it('cannot set a last will there', async () => {
    const will = { topic: topics(7)[name], payload: Buffer.from('forged'), qos: 0, retain: false } as const
    await expect(bench.connect('edge-8', { will })).rejects.toThrow(/Not authorized/)
    await expectNothingForged()
  })

  it('receives nothing, not even retained messages', async () => {
    const client = await stranger()
    const messages = heard(client)
    for (const filter of [topics(7)[name], everyEdge[name]]) expect(await granted(client, filter)).toBe(128)
    const writer = isEdgeTopic(name) ? owner : cloud
    await writer.publishAsync(topics(7)[name], 'secret', { qos: name === 'aovivo' ? 0 : 1 })
    // A message on its own topic arrives later.
    await client.subscribeAsync(topics(8).confirmacoes, { qos: 1 })
    await cloud.publishAsync(topics(8).confirmacoes, 'own', { qos: 1 })
    await until('its own', () => messages.length > 0)
    expect(messages).toEqual([`${topics(8).confirmacoes}=own`])
  })
})

it.each([
  '#',
  '+',
  '+/#',
  '/#',
  '$SYS/#',
  '$SYS/+/new/clients',
  'vigia/#',
  'vigia/v1/edges/#',
  'vigia/v1/edges/+/+',
  'vigia/v1/edges/edge-7/#',
  'vigia/v1/edges/edge-7/+',
  'vigia/v1/edges/edge-8/#',
  'vigia/v1/+/edge-7/desejado',
  CERTIFICATES_TOPIC,
  ...topicNames.map((name) => `$share/g/${topics(7)[name]}`),
])('edge 8 is not granted %s', async (filter) => {
  expect(await granted(await stranger(), filter)).toBe(128)
})

it.each([CERTIFICATES_TOPIC, '$SYS/x', '$SYS/broker/new/clients', '$share/g/x', 'outro', '/', 'vigia/v1/edges/edge-7'])(
  'edge 8 is disconnected for publishing to %s',
  async (topic) => {
    const client = await stranger()
    client.publish(topic, 'forged', { qos: 1, retain: true })
    await ended(client)
    await expectNothingForged()
  },
)
