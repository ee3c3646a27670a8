import type { Identity } from '@vigia/link/identity'
import { CERTIFICATES_TOPIC, everyEdge, type TopicName, topicNames, topics } from '@vigia/link/topics'
import { describe, expect, it } from 'vitest'
import { mayPublish, maySubscribe } from './acl.ts'

const edge: Identity = { kind: 'edge', edgeId: 7 }
const cloud: Identity = { kind: 'cloud' }
const message = { qos: 0, retain: false, bytes: 10 }
const edgeWrites: readonly TopicName[] = [
  ...(['candidatos', 'extras', 'relato', 'presenca', 'respostas', 'renovacao', 'aovivo'] as const),
]
const cloudWrites: readonly TopicName[] = ['confirmacoes', 'desejado', 'pedidos', 'certificado']

describe.each(topicNames)('on %s', (name) => {
  it('an edge writes only its own topics, the cloud the others', () => {
    expect(mayPublish(edge, { ...message, topic: topics(7)[name] })).toBe(edgeWrites.includes(name))
    expect(mayPublish(edge, { ...message, topic: topics(8)[name] })).toBe(false)
    for (const edgeId of [7, 8]) {
      expect(mayPublish(cloud, { ...message, topic: topics(edgeId)[name] })).toBe(cloudWrites.includes(name))
    }
  })

  it('each side reads the topics that the other side writes', () => {
    expect(maySubscribe(edge, topics(7)[name], 1)).toBe(cloudWrites.includes(name))
    expect(maySubscribe(edge, topics(8)[name], 1)).toBe(false)
    expect(maySubscribe(edge, everyEdge[name], 1)).toBe(false)
    expect(maySubscribe(cloud, everyEdge[name], 1)).toBe(edgeWrites.includes(name))
    expect(maySubscribe(cloud, topics(7)[name], 1)).toBe(edgeWrites.includes(name))
  })

  it('retains only states', () => {
    const retained = { ...message, topic: topics(7)[name], retain: true }
    expect(mayPublish(edge, retained)).toBe(name === 'presenca')
    expect(mayPublish(cloud, retained)).toBe(name === 'desejado')
  })

  it('requires QoS 1 except for live frames', () => {
    const writer = edgeWrites.includes(name) ? edge : cloud
    expect(mayPublish(writer, { ...message, topic: topics(7)[name], qos: 1 })).toBe(name !== 'aovivo')
  })

  it('refuses QoS 2 to all clients', () => {
    for (const identity of [edge, cloud]) {
      expect(mayPublish(identity, { ...message, topic: topics(7)[name], qos: 2 })).toBe(false)
      expect(maySubscribe(identity, topics(7)[name], 2)).toBe(false)
      expect(maySubscribe(identity, everyEdge[name], 2)).toBe(false)
    }
  })
})

it('the cloud clears a presence, and writes none', () => {
  const presence = { topic: topics(7).presenca, qos: 1 }
  expect(mayPublish(cloud, { ...presence, retain: true, bytes: 0 })).toBe(true)
  expect(mayPublish(cloud, { ...presence, retain: false, bytes: 0 })).toBe(false)
  expect(mayPublish(cloud, { ...presence, retain: true, bytes: 1 })).toBe(false)
})

it.each([
  '#',
  '+',
  'vigia/#',
  'vigia/v1/edges/#',
  'vigia/v1/edges/edge-7/#',
  'vigia/v1/edges/edge-7/+',
  'vigia/v1/edges/+/+',
  '$SYS/#',
  '$SYS/broker/version',
  '$share/g/vigia/v1/edges/+/candidatos',
  '',
])('no client may subscribe to %j', (filter) => {
  for (const identity of [edge, cloud]) expect(maySubscribe(identity, filter, 0)).toBe(false)
})

it.each(['$SYS/x', 'vigia/v1/edges/edge-7', 'vigia/v1/edges/edge-7/candidatos/x', 'outro', ''])(
  'no client may publish to %j',
  (topic) => {
    for (const identity of [edge, cloud]) expect(mayPublish(identity, { ...message, topic })).toBe(false)
  },
)

it('only the cloud writes the list of certificates, and no client reads it', () => {
  for (const retain of [false, true]) {
    expect(mayPublish(cloud, { ...message, topic: CERTIFICATES_TOPIC, retain })).toBe(true)
    expect(mayPublish(edge, { ...message, topic: CERTIFICATES_TOPIC, retain })).toBe(false)
  }
  expect(mayPublish(cloud, { ...message, topic: CERTIFICATES_TOPIC, qos: 2 })).toBe(false)
  for (const identity of [edge, cloud]) expect(maySubscribe(identity, CERTIFICATES_TOPIC, 1)).toBe(false)
})

it.each([
  ['candidatos', 6 * 1024 * 1024],
  ['respostas', 6 * 1024 * 1024],
  ['presenca', 256],
  ['renovacao', 16 * 1024],
  ['extras', 1024 * 1024],
  ['relato', 256 * 1024],
  ['aovivo', 1024 * 1024],
] as const)('%s accepts at most %i bytes', (name, bytes) => {
  expect(mayPublish(edge, { ...message, topic: topics(7)[name], bytes })).toBe(true)
  expect(mayPublish(edge, { ...message, topic: topics(7)[name], bytes: bytes + 1 })).toBe(false)
})
