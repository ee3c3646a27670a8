import { topics } from '@vigia/link/topics'
import { expect, it } from 'vitest'
import { admit, type ConnectRequest } from './admission.ts'

const edge = { kind: 'edge', edgeId: 7 } as const
const holder = { name: 'edge-7', identity: edge, objection: null }
const good: ConnectRequest = { clientId: 'edge-7', protocolVersion: 4, clean: true, keepalive: 15 }
const will = { topic: topics(7).presenca, payload: Buffer.from('{}'), qos: 1, retain: true }

it('admits the holder of the certificate, with and without its own last will', () => {
  expect(admit(good, holder)).toEqual({ ok: true, keepaliveS: 15 })
  expect(admit({ ...good, will, username: 'edge-7' }, holder)).toMatchObject({ ok: true })
})

it.each<[string, Partial<ConnectRequest>, number]>([
  ['another client id', { clientId: 'edge-8' }, 2],
  ['the cloud’s client id', { clientId: 'cloud' }, 2],
  ['the client id of a replica of the cloud', { clientId: 'cloud-a1' }, 2],
  ['an empty client id', { clientId: '' }, 2],
  ['another user', { username: 'cloud' }, 4],
  ['MQTT 3.1', { protocolVersion: 3 }, 5],
  ['MQTT 5', { protocolVersion: 5 }, 5],
  ['a kept session', { clean: false }, 5],
  ['no keep alive', { keepalive: 0 }, 5],
  ['a keep alive of an hour', { keepalive: 3600 }, 5],
  ['the last will of another edge', { will: { ...will, topic: topics(8).presenca } }, 5],
  ['a last will where the cloud writes', { will: { ...will, topic: topics(7).desejado } }, 5],
  ['a large last will', { will: { ...will, payload: Buffer.alloc(1000) } }, 5],
  ['a last will with QoS 2', { will: { ...will, qos: 2 } }, 5],
])('refuses %s', (_what, change, returnCode) => {
  expect(admit({ ...good, ...change }, holder)).toMatchObject({ ok: false, returnCode })
})

it('refuses a certificate that is not in force', () => {
  const motivo = 'certificate not in force'
  expect(admit(good, { ...holder, objection: motivo })).toEqual({ ok: false, returnCode: 5, motivo })
})

it.each([
  ['cloud', true],
  ['cloud-vm-1a2b3c4d', true],
  ['cloud-', false],
  ['cloud-A', false],
  ['edge-7', false],
])('admits the cloud as %s: %s', (clientId, ok) => {
  const cloud = { name: 'cloud', identity: { kind: 'cloud' }, objection: null } as const
  const { will: _, ...plain } = good
  expect(admit({ ...plain, clientId }, cloud).ok).toBe(ok)
})
