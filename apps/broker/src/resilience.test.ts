import net from 'node:net'
import tls from 'node:tls'
import { VigiaError } from '@vigia/contracts/errors'
import { createMemoryLog, until } from '@vigia/link/testing/installation'
import { everyEdge, topicNames, topics } from '@vigia/link/topics'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createBroker } from './app.ts'
import { type BrokerBench, createBrokerBench, ended, granted, heard } from './testing/broker-client.ts'

let bench: BrokerBench
/** The same bound for an edge, its Empresa, its root and all. */
const bound = (limit: number) => ({ edge: limit, empresa: limit, root: limit, installation: limit })
beforeEach(async () => {
  bench = await createBrokerBench()
})
afterEach(() => bench.close())

describe('the broker under hostile clients', () => {
  it('survives a hundred quick reconnects of one edge, several at a time', async () => {
    const tlsOptions = await bench.installation.edge(6)
    for (let round = 0; round < 25; round += 1) {
      await Promise.allSettled(Array.from({ length: 4 }, () => bench.connect('edge-6', tlsOptions)))
    }
    const last = await bench.connect('edge-6', tlsOptions)
    expect(await granted(last, topics(6).confirmacoes)).toBe(1)
    const messages = heard(last)
    const cloud = await bench.connect('cloud')
    await cloud.publishAsync(topics(6).confirmacoes, 'still here', { qos: 1 })
    await until('the message', () => messages.length === 1)
  })

  it.each([
    ['garbage', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a packet type that does not exist', Buffer.from([0x00, 0x00])],
    ['a CONNECT cut short', Buffer.from([0x10, 0x02, 0x00, 0x04])],
    ['a PUBLISH before CONNECT', Buffer.from([0x30, 0x03, 0x00, 0x01, 0x61])],
    ['a header that announces 256 MiB', Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f])],
  ])('survives %s from the holder of a certificate', async (_what, bytes) => {
    const { ca, cert, key } = await bench.installation.edge(9)
    const socket = tls.connect({ host: '127.0.0.1', port: bench.port, ca, cert, key }, () => socket.write(bytes))
    socket.on('error', () => {})
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    await bench.connect('edge-9')
  })

  it('disconnects a silent client after its keep-alive', async () => {
    const client = await bench.connect('edge-5', { keepalive: 1 })
    // Its pings are suppressed.
    client.sendPing = () => {}
    client.onKeepaliveTimeout = () => {}
    const started = performance.now()
    await ended(client)
    expect(performance.now() - started).toBeGreaterThan(1_000)
    expect(bench.lines.some((line) => line.includes('keep alive timeout'))).toBe(true)
  })

  it('refuses a packet above the limit', async () => {
    const client = await bench.connect('edge-9')
    client.publish(topics(9).candidatos, Buffer.alloc(6 * 1024 * 1024 + 1), { qos: 1 })
    await ended(client)
    await until('a line', () => bench.lines.some((line) => line.includes('packet too large')))
  })

  it('logs no payload', async () => {
    const client = await bench.connect('edge-9')
    client.publish(topics(9).desejado, 'segredo-no-payload', { qos: 1 })
    await ended(client)
    expect(bench.lines.join('\n')).not.toContain('segredo-no-payload')
  })
})

describe('its own limits', () => {
  it('disconnects a subscriber that does not read, without delay for others', async () => {
    const small = await createBrokerBench({ queuedBytes: bound(256 * 1024) })
    const stalled = await small.connect('edge-1')
    const reading = await small.connect('edge-2')
    const cloud = await small.connect('cloud')
    await stalled.subscribeAsync(topics(1).confirmacoes, { qos: 0 })
    await reading.subscribeAsync(topics(2).confirmacoes, { qos: 0 })
    let received = 0
    reading.on('message', () => {
      received += 1
    })
    stalled.stream.pause()
    // More than the socket buffers of both ends hold; otherwise the broker sees no backlog.
    const rounds = 400
    for (let round = 0; round < rounds; round += 1) {
      await cloud.publishAsync(topics(1).confirmacoes, Buffer.alloc(64 * 1024), { qos: 1 })
      await cloud.publishAsync(topics(2).confirmacoes, 'small', { qos: 1 })
    }
    await until('all small messages', () => received === rounds)
    await until('the drop', () => small.lines.some((line) => line.includes('does not read fast enough')))
    expect(cloud.connected).toBe(true)
    await small.close()
  })

  it('ends a connection without CONNECT and one with an incomplete handshake', async () => {
    const hasty = await createBrokerBench({ handshakeMs: 300 })
    const { ca, cert, key } = await hasty.installation.edge(1)
    const mute = tls.connect({ host: '127.0.0.1', port: hasty.port, ca, cert, key })
    const raw = net.connect(hasty.port, '127.0.0.1')
    const closed = [mute, raw].map((socket) => {
      socket.on('error', () => {})
      socket.resume()
      return new Promise((resolve) => socket.once('close', resolve))
    })
    await Promise.all(closed)
    await hasty.close()
  })

  it('bounds the number of connections, in total and of one certificate', async () => {
    const tight = await createBrokerBench({ maxConnections: 4, maxSocketsPerCertificate: 2, handshakeMs: 1_000 })
    const { ca, cert, key } = await tight.installation.edge(1)
    const open = async () => {
      const socket = tls.connect({ host: '127.0.0.1', port: tight.port, ca, cert, key })
      socket.on('error', () => {})
      await new Promise((resolve) => socket.once('secureConnect', resolve))
      return socket
    }
    const sockets = [await open(), await open()]
    const third = await open()
    third.resume()
    await new Promise((resolve) => third.once('close', resolve))
    expect(sockets.every((socket) => !socket.destroyed)).toBe(true)
    for (const socket of sockets) socket.destroy()
    const others = await Promise.allSettled([2, 3, 4, 5, 6, 7, 8].map((id) => tight.connect(`edge-${id}`)))
    expect(others.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(4)
    await tight.close()
  })

  it('ends a connection after repeated subscriptions to topics of others', async () => {
    const client = await bench.connect('edge-9')
    const over = ended(client)
    for (let count = 0; count < 30 && client.connected; count += 1) await granted(client, topics(8).desejado)
    await over
    // Allowed subscriptions are not counted, regardless of their number.
    const polite = await bench.connect('edge-9')
    for (let count = 0; count < 30; count += 1) expect(await granted(polite, topics(9).desejado)).toBe(1)
  })

  it('grants an edge only the subscriptions to its own topics', async () => {
    const client = await bench.connect('edge-9')
    const answers: number[] = []
    for (const name of topicNames) answers.push(await granted(client, topics(9)[name]))
    expect(answers.filter((qos) => qos === 1)).toHaveLength(4)
  })

  it('bounds the number and bytes of retained states; others are delivered without being retained', async () => {
    const small = await createBrokerBench({ retained: { messages: bound(3), bytes: bound(1000) } })
    const cloud = await small.connect('cloud')
    const heardNow: string[] = []
    for (const id of [1, 2, 3, 4]) {
      const edge = await small.connect(`edge-${id}`)
      edge.on('message', (topic) => heardNow.push(topic))
      await edge.subscribeAsync(topics(id).desejado, { qos: 1 })
      await cloud.publishAsync(topics(id).desejado, 'x'.repeat(100), { qos: 1, retain: true })
    }
    await until('all four', () => heardNow.length === 4)
    const retained = async (id: number) => {
      const edge = await small.connect(`edge-${id}`)
      const messages = heard(edge)
      await edge.subscribeAsync([topics(id).desejado, topics(id).confirmacoes], { qos: 1 })
      await cloud.publishAsync(topics(id).confirmacoes, 'after', { qos: 1 })
      await until('the message after', () => messages.some((message) => message.endsWith('=after')))
      return messages.length === 2
    }
    expect([await retained(1), await retained(3), await retained(4)]).toEqual([true, true, false])
    expect(small.lines.join()).toContain('no room for another retained state')

    // A cleared state frees space; a state that exceeds the bytes is not retained.
    await cloud.publishAsync(topics(1).desejado, '', { qos: 1, retain: true })
    await cloud.publishAsync(topics(4).desejado, 'x'.repeat(100), { qos: 1, retain: true })
    await cloud.publishAsync(topics(1).desejado, 'x'.repeat(900), { qos: 1, retain: true })
    expect([await retained(4), await retained(1)]).toEqual([true, false])
    await small.close()
  })

  it('drops live frames and batches that would only queue', async () => {
    const tight = await createBrokerBench({ forwardAboveBytes: -1, stalledMs: 0 })
    const [cloud, edge] = [await tight.connect('cloud'), await tight.connect('edge-1')]
    const messages = heard(cloud)
    await cloud.subscribeAsync([everyEdge.candidatos, everyEdge.aovivo, everyEdge.relato], { qos: 1 })
    await edge.publishAsync(topics(1).candidatos, 'batch', { qos: 1 })
    await edge.publishAsync(topics(1).aovivo, 'frame', { qos: 0 })
    await edge.publishAsync(topics(1).relato, 'report', { qos: 0 })
    await until('the report', () => messages.length > 0)
    expect(messages).toEqual([`${topics(1).relato}=report`])
    await tight.close()
  })

  it('reports a taken port in one sentence', async () => {
    const log = createMemoryLog()
    const second = createBroker({ host: '127.0.0.1', port: bench.port, tls: bench.installation.broker, log })
    const error: unknown = await second.start().catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(VigiaError)
    expect(String(error)).toContain(`127.0.0.1:${bench.port}: a porta já está em uso`)
  })
})
