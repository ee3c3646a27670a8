import net from 'node:net'
import tls from 'node:tls'
import { until } from '@vigia/link/testing/installation'
import { topics } from '@vigia/link/topics'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHandshakeGate, type HandshakeLimits } from './handshake-gate.ts'
import { createBrokerBench, granted } from './testing/broker-client.ts'

const limits = { perAddress: 3, total: 5, memoryMs: 60_000, pressedMs: 60_000 }

/** A gate that knows `127.0.0.9`. */
function newGate(changed: Partial<HandshakeLimits> = {}) {
  const admitted: string[] = []
  const gate = createHandshakeGate(
    { ...limits, ...changed },
    {
      has: (source) => source === '127.0.0.9',
      admitted: (source, name) => {
        admitted.push(`${source} ${name}`)
        return () => admitted.push(`${source} gone`)
      },
    },
  )
  const dropped: string[] = []
  const enter = (address: string) => gate.enter(address, () => dropped.push(address))
  return { enter, dropped, admitted }
}

describe('the gate', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('counts by address until admission', () => {
    const { enter, admitted } = newGate()
    const first = enter('127.0.0.1')
    expect([enter('127.0.0.1'), enter('127.0.0.1')]).not.toContain(null)
    expect(enter('127.0.0.1')).toBeNull()
    first?.admitted('edge-1')
    first?.admitted('edge-1')
    expect(enter('127.0.0.1')).not.toBeNull()
    expect(enter('127.0.0.1')).toBeNull()
    expect(enter('127.0.0.2')).not.toBeNull()
    first?.closed(true)
    first?.closed(true)
    expect(admitted).toEqual(['127.0.0.1 edge-1', '127.0.0.1 gone'])
  })

  it('counts all addresses together', () => {
    const { enter } = newGate()
    for (let host = 1; host <= 5; host += 1) expect(enter(`127.0.0.${host}`)).not.toBeNull()
    expect(enter('127.0.0.6')).toBeNull()
  })

  it('reserves capacity for known sources, with the same limit for each', () => {
    const { enter } = newGate()
    for (let host = 1; host <= 5; host += 1) enter(`127.0.0.${host}`)
    for (let count = 0; count < 3; count += 1) expect(enter('127.0.0.9')).not.toBeNull()
    expect(enter('127.0.0.9')).toBeNull()
  })

  it('counts a failed connection for a limited time', () => {
    const { enter } = newGate()
    for (let count = 0; count < 3; count += 1) enter('::1')?.closed(true)
    vi.advanceTimersByTime(limits.memoryMs - 1)
    expect(enter('::1')).toBeNull()
    vi.advanceTimersByTime(1)
    expect(enter('::1')).not.toBeNull()
  })

  it('does not count a connection that never sent a byte', () => {
    const { enter } = newGate()
    for (let count = 0; count < 10; count += 1) {
      const entrant = enter('::1')
      expect(entrant).not.toBeNull()
      entrant?.closed(false)
    }
  })

  it('drops the oldest connection of a full source after its minimum time', () => {
    const { enter, dropped } = newGate({ perAddress: 1 })
    enter('127.0.0.1')
    vi.advanceTimersByTime(limits.pressedMs - 1)
    expect(enter('127.0.0.1')).toBeNull()
    vi.advanceTimersByTime(1)
    expect(enter('127.0.0.1')).not.toBeNull()
    expect(dropped).toEqual(['127.0.0.1'])
    expect(enter('127.0.0.1')).toBeNull()
  })

  it('drops the oldest connection of all unknown sources, and none of a known source', () => {
    const { enter, dropped } = newGate()
    enter('127.0.0.9')
    for (let host = 1; host <= 5; host += 1) enter(`127.0.0.${host}`)
    vi.advanceTimersByTime(limits.pressedMs)
    expect(enter('127.0.0.6')).not.toBeNull()
    expect(dropped).toEqual(['127.0.0.1'])
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8::1', '2001:db8:0:0:1::', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.2', false],
    ['::ffff:127.0.0.1', '127.0.0.1', true],
  ])('%s and %s belong to one subscriber: %s', (one, other, same) => {
    const { enter } = newGate({ perAddress: 1 })
    expect(enter(one)).not.toBeNull()
    expect(enter(other) === null).toBe(same)
  })
})

describe('a flood from unknown sources', () => {
  /** Opens connections continuously: half send nothing, half begin a handshake without a certificate. */
  function startFlood(port: number, ca: string) {
    const open = new Set<net.Socket>()
    let refused = 0
    const add = () => {
      const where = { port, host: '127.0.0.1', localAddress: '127.0.0.2' }
      const socket = open.size % 2 === 0 ? net.connect(where) : tls.connect({ ...where, ca })
      open.add(socket)
      socket.on('error', () => {}).resume()
      socket.on('close', () => {
        open.delete(socket)
        refused += 1
      })
    }
    const timer = setInterval(() => {
      for (let count = 0; count < 10 && open.size < 300; count += 1) add()
    }, 5)
    return {
      refused: () => refused,
      stop: () => {
        clearInterval(timer)
        for (const socket of open) socket.destroy()
      },
    }
  }

  it('from one address does not block other addresses', async () => {
    const bench = await createBrokerBench({
      maxConnections: 100,
      handshakes: { perAddress: 20, total: 60, memoryMs: 2_000, pressedMs: 3_000 },
    })
    const live = await bench.connect('edge-1')
    const flood = startFlood(bench.port, bench.installation.cloud.ca)
    try {
      await until('a flood', () => flood.refused() > 300)
      // New edges connect at any rate, and connected edges are not affected.
      for (let round = 0; round < 30; round += 1) {
        const edge = await bench.connect(`edge-${2 + (round % 8)}`)
        await edge.publishAsync(topics(2 + (round % 8)).candidatos, 'x', { qos: 1 })
      }
      expect(await granted(live, topics(1).desejado)).toBe(1)
      expect(bench.lines.join()).toContain('too many connections that do not say who they are')
      // The log stays small during the flood.
      expect(bench.lines.length).toBeLessThan(300)
    } finally {
      flood.stop()
      await bench.close()
    }
  })
})
