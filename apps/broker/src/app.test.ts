import net from 'node:net'
import tls from 'node:tls'
import { createTestInstallation, until } from '@vigia/link/testing/installation'
import { topics } from '@vigia/link/topics'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BrokerBench, createBrokerBench, ended, granted, heard } from './testing/broker-client.ts'

let bench: BrokerBench
beforeAll(async () => {
  bench = await createBrokerBench()
})
afterAll(() => bench.close())

/** MQTT 3.1.1, clean session, keep alive 15 s, client id `edge-7`. */
const CONNECT = Buffer.from('\x10\x12\x00\x04MQTT\x04\x02\x00\x0f\x00\x06edge-7', 'latin1')

describe('admission', () => {
  it('nobody without TLS', async () => {
    const socket = net.connect(bench.port, '127.0.0.1', () => socket.write(CONNECT))
    const data: Buffer[] = []
    socket.on('data', (chunk) => data.push(chunk))
    await new Promise((resolve) => socket.once('close', resolve))
    // The answer may be a TLS alert (record type 21), but never an MQTT answer (0x20).
    expect(Buffer.concat(data)[0] ?? 21).toBe(21)
  })

  it('refuses clients without a certificate or with one of another installation', async () => {
    const foreign = await createTestInstallation()
    const { ca } = bench.installation.broker
    for (const identity of [{ cert: undefined, key: undefined }, foreign.cloud, await foreign.edge(7)]) {
      const socket = tls.connect({ host: '127.0.0.1', port: bench.port, ...identity, ca })
      const answers: Buffer[] = []
      socket.on('data', (chunk) => answers.push(chunk)).on('error', () => {})
      // With TLS 1.3 the client counts as connected before the server checks its certificate.
      socket.write(CONNECT)
      await new Promise((resolve) => socket.once('close', resolve))
      expect(answers).toEqual([])
    }
    // The same bytes from a known client get CONNACK with code 0.
    const known = tls.connect({ host: '127.0.0.1', port: bench.port, ...(await bench.installation.edge(7)) })
    known.write(CONNECT)
    expect(await new Promise((resolve) => known.once('data', resolve))).toEqual(Buffer.from([0x20, 2, 0, 0]))
    known.destroy()
    expect(bench.lines.filter((line) => line.includes('TLS handshake failed')).length).toBeGreaterThanOrEqual(3)
    await foreign.remove()
  })

  it('refuses the certificate of the broker itself, which is for servers only', async () => {
    await expect(bench.connect('edge-7', { ...bench.installation.broker, clientId: 'broker' })).rejects.toThrow()
  })

  it('refuses TLS older than 1.2', async () => {
    const { ca, cert, key } = await bench.installation.edge(7)
    const options = {
      ca,
      cert,
      key,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const
    const socket = tls.connect({ host: '127.0.0.1', port: bench.port, ...options })
    await expect(
      new Promise((resolve, reject) => socket.on('secureConnect', resolve).on('error', reject)),
    ).rejects.toThrow(/version/)
  })

  it.each([
    ['another edge’s client id', { clientId: 'edge-8' }, /Identifier rejected/],
    ['an empty client id', { clientId: '' }, /Identifier rejected/],
    ['another user', { username: 'cloud' }, /Bad username/],
    ['a kept session', { clean: false }, /Not authorized/],
    ['no keep alive', { keepalive: 0 }, /Not authorized/],
    [
      'a last will of another edge',
      { will: { topic: topics(8).presenca, payload: Buffer.from('x'), qos: 1, retain: true } },
      /Not authorized/,
    ],
  ] as const)('refuses an edge with %s with the return code of the standard', async (_what, options, message) => {
    await expect(bench.connect('edge-7', options)).rejects.toThrow(message)
  })
})

describe('topic rules', () => {
  it('carries each message of the link unchanged to the other end', async () => {
    const cloud = await bench.connect('cloud')
    const edge = await bench.connect('edge-7')
    const sizes: number[] = []
    cloud.on('message', (_topic, payload) => sizes.push(payload.length))
    for (const name of ['candidatos', 'relato', 'presenca', 'respostas'] as const) {
      expect(await granted(cloud, `vigia/v1/edges/+/${name}`)).toBe(1)
    }
    await edge.publishAsync(topics(7).candidatos, Buffer.alloc(5 * 1024 * 1024), { qos: 1 })
    await edge.publishAsync(topics(7).relato, 'r', { qos: 0 })
    await edge.publishAsync(topics(7).presenca, 'p', { qos: 1, retain: true })
    await edge.publishAsync(topics(7).respostas, 'a', { qos: 1 })
    await until('four messages at the cloud', () => sizes.length === 4)
    expect(sizes.sort()).toEqual([1, 1, 1, 5 * 1024 * 1024])

    const messages = heard(edge)
    expect(await granted(edge, topics(7).confirmacoes)).toBe(1)
    expect(await granted(edge, topics(7).desejado)).toBe(1)
    expect(await granted(edge, topics(7).pedidos)).toBe(1)
    await cloud.publishAsync(topics(7).confirmacoes, 'c', { qos: 1 })
    await cloud.publishAsync(topics(7).desejado, 'd', { qos: 1, retain: true })
    await cloud.publishAsync(topics(7).pedidos, 'p', { qos: 1 })
    await until('three messages at the edge', () => messages.length === 3)
    expect(messages.sort()).toEqual([
      `${topics(7).confirmacoes}=c`,
      `${topics(7).desejado}=d`,
      `${topics(7).pedidos}=p`,
    ])
  })

  it.each([
    '#',
    '$SYS/#',
    'vigia/v1/edges/+/desejado',
    'vigia/v1/edges/edge-7/#',
    topics(8).desejado,
    topics(8).confirmacoes,
    topics(8).pedidos,
    topics(8).respostas,
    topics(7).respostas,
    topics(7).candidatos,
    'vigia/v1/edges/+/pedidos',
  ])('does not grant an edge %s', async (filter) => {
    expect(await granted(await bench.connect('edge-7'), filter)).toBe(128)
  })

  it.each(['#', '$SYS/#', 'vigia/v1/edges/+/desejado'])('does not grant the cloud %s', async (filter) => {
    expect(await granted(await bench.connect('cloud'), filter)).toBe(128)
  })

  it('refuses a filter in one packet with a granted one', async () => {
    const edge = await bench.connect('edge-7')
    const messages = heard(edge)
    // mqtt.js reports the refusal as an error, although the other filter is granted.
    await edge.subscribeAsync([topics(7).confirmacoes, topics(8).confirmacoes], { qos: 1 }).catch(() => {})
    const cloud = await bench.connect('cloud')
    await cloud.publishAsync(topics(8).confirmacoes, 'not for 7', { qos: 1 })
    await cloud.publishAsync(topics(7).confirmacoes, 'for 7', { qos: 1 })
    await until('the message', () => messages.length > 0)
    expect(messages).toEqual([`${topics(7).confirmacoes}=for 7`])
  })

  it.each([
    ['edge-7', topics(8).candidatos, {}],
    ['edge-7', topics(7).desejado, {}],
    ['edge-7', topics(7).confirmacoes, {}],
    ['edge-7', topics(8).respostas, {}],
    ['edge-7', topics(7).respostas, { retain: true }],
    ['edge-7', topics(7).pedidos, {}],
    ['edge-7', topics(8).pedidos, {}],
    ['edge-7', topics(7).candidatos, { retain: true }],
    ['edge-7', topics(7).candidatos, { qos: 2 as const }],
    ['edge-7', topics(7).aovivo, { qos: 1 as const }],
    ['edge-7', topics(7).aovivo, { qos: 0 as const, retain: true }],
    ['edge-7', topics(7).certificado, {}],
    ['edge-7', 'vigia/v1/edges/edge-7/candidatos/mais/niveis', {}],
    ['edge-7', `vigia/v1/edges/edge-7/${'x'.repeat(60_000)}`, {}],
    ['edge-7', '$SYS/x', {}],
    ['cloud', topics(7).candidatos, {}],
    ['cloud', topics(7).presenca, { retain: true }],
    ['cloud', topics(7).confirmacoes, { retain: true }],
    ['cloud', topics(7).pedidos, { retain: true }],
    ['cloud', topics(7).respostas, {}],
  ])('disconnects %s for publishing to %s %j, and drops the message', async (name, topic, options) => {
    const witness = await bench.connect(name === 'cloud' ? 'edge-7' : 'cloud')
    const messages = heard(witness)
    const filters =
      name === 'cloud'
        ? [topics(7).desejado, topics(7).confirmacoes, topics(7).pedidos]
        : ['vigia/v1/edges/+/candidatos', 'vigia/v1/edges/+/respostas']
    await witness.subscribeAsync(filters, { qos: 1 })
    messages.length = 0

    const client = await bench.connect(name)
    client.publish(topic, 'forbidden', { qos: 1, ...options })
    await ended(client)
    expect(messages.filter((message) => message.includes('forbidden'))).toEqual([])
  })
})

describe('presence', () => {
  const will = (text: string) =>
    ({ topic: topics(5).presenca, payload: Buffer.from(text), qos: 1, retain: true }) as const

  it('publishes the last will of a lost client, not of one that sent DISCONNECT', async () => {
    const cloud = await bench.connect('cloud')
    const messages = heard(cloud)
    await cloud.subscribeAsync('vigia/v1/edges/+/presenca', { qos: 1 })
    messages.length = 0
    const vanishing = await bench.connect('edge-5', { will: will('vanished') })
    vanishing.stream.destroy()
    await until('the last will', () => messages.includes(`${topics(5).presenca}=vanished`))

    const polite = await bench.connect('edge-5', { will: will('never said') })
    await polite.endAsync()
    await until('the goodbye', () => bench.lines.filter((line) => line.includes('"edge-5"}')).length >= 2)
    expect(messages.filter((message) => message.includes('never said'))).toEqual([])

    const late = await bench.connect('cloud')
    const retained = heard(late)
    await late.subscribeAsync('vigia/v1/edges/+/presenca', { qos: 1 })
    await until('the retained will', () => retained.includes(`${topics(5).presenca}=vanished`))
  })

  it('publishes the will of the old client before the session of the new client begins', async () => {
    const cloud = await bench.connect('cloud')
    const messages = heard(cloud)
    await cloud.subscribeAsync('vigia/v1/edges/+/presenca', { qos: 1 })
    const old = await bench.connect('edge-5', { will: will('old will') })
    const oldEnded = ended(old)
    messages.length = 0
    const fresh = await bench.connect('edge-5', { will: will('new will') })
    await fresh.publishAsync(topics(5).presenca, 'here', { qos: 1, retain: true })
    await oldEnded
    await until('both messages', () => messages.length === 2)
    expect(messages).toEqual([`${topics(5).presenca}=old will`, `${topics(5).presenca}=here`])
    expect(fresh.connected).toBe(true)
  })
})
