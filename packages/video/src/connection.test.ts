import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, describe, expect, it } from 'vitest'
import type { RtspClient } from './client-choice.ts'
import { createConnection } from './connection.ts'
import type { StreamParameters, VideoPacket } from './packet.ts'
import type { PacketReader } from './packet-reader.ts'
import { createDecoderReader, type StreamInfo } from './readers/decoder.ts'
import type { Picture } from './test-peer/annex-b.ts'
import {
  fixture,
  type PlayOptions,
  pictures,
  playFootage,
  reorderedPictures,
  shownAt,
  ticks,
} from './test-peer/footage.ts'
import { type Peer, type PeerOptions, startRtspPeer } from './test-peer/rtsp-peer.ts'
import { readAccessUnits } from './testing/access-units.ts'

const peers: Peer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})

/** A peer that plays the fixture with the options `play` and then closes the connection. */
async function footagePeer(play: PlayOptions, options: PeerOptions = {}): Promise<Peer> {
  const peer = await startRtspPeer({
    ...options,
    ...(play.codec ? { codec: play.codec } : {}),
    play: (rtp, connection) => void playFootage(rtp, connection, play).then(() => connection.end()),
  })
  peers.push(peer)
  return peer
}

const connect = (peer: Peer, client: RtspClient = 'ffmpeg') =>
  createConnection({ url: peer.url(), client, openTimeoutMs: 5000, stallTimeoutMs: 2000 })
const never = () => AbortSignal.timeout(20_000)
const ended = { failure: 'fluxo_encerrado', detail: null }

interface Part {
  readonly parameters: StreamParameters
  readonly startMs: number
  readonly packets: number
  readonly bytes: number
}

/** A custom reader: parts that start at a keyframe, like those of a packager. */
function createPackager() {
  const parts: Part[] = []
  let open: Part | null = null
  const reader: PacketReader = {
    packet({ keyframe, timeMs, bytes, parameters }: VideoPacket) {
      if (keyframe && open) parts.push(open)
      if (keyframe) open = { parameters, startMs: timeMs, packets: 0, bytes: 0 }
      if (open) open = { ...open, packets: open.packets + 1, bytes: open.bytes + bytes }
    },
    closed() {
      if (open) parts.push(open)
      open = null
    },
  }
  return { reader, parts }
}

/** A decoder that runs beside the attached readers under test. */
function createSpectator() {
  const infos: StreamInfo[] = []
  const times: number[] = []
  const reader = createDecoderReader({
    onInfo: (info) => infos.push(info),
    onFrame: (frame) => void times.push(Math.round(frame.timestampMs)),
  })
  return { reader, infos, times }
}

const every100 = (count: number): number[] => Array.from({ length: count }, (_, i) => i * 100)

describe.each(['ffmpeg', 'own'] as const)('a connection with the client %s', (client) => {
  it('feeds a decoder and a custom reader', async () => {
    const peer = await footagePeer({ count: 25 })
    const connection = connect(peer, client)
    const { reader, parts } = createPackager()
    const spectator = createSpectator()
    connection.attach(reader)
    connection.attach(spectator.reader, { awaited: true })
    expect(await connection.run(never())).toEqual(ended)
    expect(spectator.times).toEqual(every100(25))
    expect(parts.map(({ startMs, packets }) => [Math.round(startMs), packets])).toEqual([
      [0, 10],
      [1000, 10],
      [2000, 5],
    ])
    expect(peer.requests.filter(({ method }) => method === 'PLAY')).toHaveLength(1)
  })

  it.each(['h264', 'h265'] as const)(
    'finds the parameter sets of %s in the stream when the SDP has none',
    async (codec) => {
      const peer = await footagePeer({ codec, count: 12 })
      const connection = connect(peer, client)
      const { reader, parts } = createPackager()
      connection.attach(reader)
      await connection.run(never())
      const sets = codec === 'h264' ? 2 : 3
      expect(parts[0]?.parameters.codec).toBe(codec)
      expect(parts[0]?.parameters.parameterSets).toEqual(pictures[codec][0]?.nals.slice(0, sets))
      expect(parts[1]?.parameters).toBe(parts[0]?.parameters)
    },
  )

  it('announces parameter sets that change in mid-stream, and the decoder continues', async () => {
    const larger = await readAccessUnits(fileURLToPath(fixture('full-range-odd.mp4')))
    const others = larger.units.map(
      ({ key, nals }): Picture => ({
        key,
        nals: key ? [...larger.parameterSets, ...nals] : nals,
      }),
    )
    const peer = await footagePeer({
      pictures: [...pictures.h264.slice(0, 10), ...others],
      count: 20,
      // The second stream reorders its pictures.
      timestamp: (index) =>
        90_000 + index * ticks + (index < 10 ? 0 : (larger.units[index - 10]?.pts ?? 0) - (index - 10) * ticks),
    })
    const connection = connect(peer, client)
    const { reader, parts } = createPackager()
    const spectator = createSpectator()
    connection.attach(reader)
    connection.attach(spectator.reader, { awaited: true })
    await connection.run(never())
    expect(parts.map(({ packets }) => packets)).toEqual([10, 5, 5])
    expect(parts[1]?.parameters.parameterSets).toEqual(larger.parameterSets)
    expect(parts[2]?.parameters).toBe(parts[1]?.parameters)
    expect(spectator.infos.map(({ width, height }) => [width, height])).toEqual([
      [160, 120],
      [161, 121],
    ])
    const firstMs = ((larger.units[0]?.pts ?? 0) / ticks) * 100
    const shown = [...every100(10), ...every100(10).map((time) => 1000 + firstMs + time)]
    // The last pictures stay in the decoder, which waits for another one.
    expect(spectator.times.length).toBeGreaterThanOrEqual(17)
    expect(spectator.times).toEqual(shown.slice(0, spectator.times.length))
  })

  it('keeps the time of pictures that are sent out of order', async () => {
    const timestamp = (index: number) => 5_000_000 + shownAt(index) * ticks
    const peer = await footagePeer({ pictures: reorderedPictures, count: 30, timestamp })
    const connection = connect(peer, client)
    const packets: number[] = []
    const spectator = createSpectator()
    connection.attach({ packet: ({ timeMs }) => void packets.push(Math.round(timeMs)) })
    connection.attach(spectator.reader, { awaited: true })
    await connection.run(never())
    expect(packets).toEqual(Array.from({ length: 30 }, (_, i) => shownAt(i) * 100))
    // The last pictures stay in the decoder, which waits for another one.
    expect(spectator.times.length).toBeGreaterThanOrEqual(27)
    expect(spectator.times).toEqual(every100(spectator.times.length))
  })

  it('gives increasing times when the RTP time starts at 0', async () => {
    const peer = await footagePeer({ count: 12, timestamp: (index) => index * ticks })
    const connection = connect(peer, client)
    const times: number[] = []
    connection.attach({ packet: ({ timeMs }) => void times.push(Math.round(timeMs)) })
    await connection.run(never())
    // FFmpeg gives no presentation time for the second picture, so its default duration of 40 ms applies.
    const second = client === 'own' ? 100 : 40
    expect(times).toEqual([0, ...every100(11).map((time) => time + second)])
  })

  it('waits in one connection for the first keyframe of a long group', async () => {
    // 2 s of pictures without a keyframe: the limit of a stream without pictures is 0.9 s.
    const middle = Array.from({ length: 200 }, (_, i) => pictures.h264[1 + (i % 9)]).filter((one) => one !== undefined)
    const peer = await footagePeer({ pictures: [...middle, ...pictures.h264], count: 225 })
    const connection = createConnection({ url: peer.url(), client, openTimeoutMs: 5000, stallTimeoutMs: 300 })
    const spectator = createSpectator()
    connection.attach(spectator.reader, { awaited: true })
    const skips: number[] = []
    let packets = 0
    connection.attach({ packet: () => void packets++, skipped: () => void skips.push(packets) })
    const ending = connection.run(never())
    await waitFor('the wait', () => connection.seen)
    expect(spectator.times).toEqual([])
    const { keyframeAt, pictureAt } = await waitFor('pictures', () => {
      const { seen } = connection
      return seen && seen.pictureAt > seen.keyframeAt && seen
    })
    expect(pictureAt).toBeGreaterThan(keyframeAt)
    expect(await ending).toEqual(ended)
    // The client joins single slices of the first pictures.
    expect(skips.length).toBeGreaterThan(190)
    expect(new Set(skips)).toEqual(new Set([0]))
    expect(spectator.times).toEqual(every100(25))
    expect(peer.requests.filter(({ method }) => method === 'PLAY')).toHaveLength(1)
  })

  it('detaches a reader that throws or rejects, without effect on the others', async () => {
    const peer = await footagePeer({ count: 25 })
    const connection = connect(peer, client)
    const faults: unknown[] = []
    const closed: string[] = []
    let seen = 0
    const throws: PacketReader = {
      packet: () => {
        seen++
        throw new Error('throws')
      },
      closed: () => void closed.push('throws'),
    }
    const rejects: PacketReader = { packet: () => delay(1).then(() => Promise.reject(new Error('rejects'))) }
    const { reader, parts } = createPackager()
    const spectator = createSpectator()
    const onFault = (error: unknown) => void faults.push((error as Error).message)
    connection.attach(throws, { onFault })
    connection.attach(rejects, { onFault })
    connection.attach(reader)
    connection.attach(spectator.reader, { awaited: true })
    expect(await connection.run(never())).toEqual(ended)
    expect([seen, faults, closed]).toEqual([1, ['throws', 'rejects'], ['throws']])
    expect(parts.map(({ packets }) => packets)).toEqual([10, 10, 5])
    expect(spectator.times).toEqual(every100(25))
  })

  it('skips a slow reader until the next keyframe', async () => {
    const peer = await footagePeer({ count: 40 })
    const connection = connect(peer, client)
    const gate = Promise.withResolvers<void>()
    const sequences: number[] = []
    connection.attach({
      packet({ sequence }) {
        sequences.push(sequence)
        return sequence === 3 ? gate.promise : undefined
      },
    })
    const spectator = createSpectator()
    connection.attach({ packet: ({ sequence }) => (sequence === 15 ? gate.resolve() : undefined) })
    connection.attach(spectator.reader, { awaited: true })
    await connection.run(never())
    expect(sequences).toEqual([0, 1, 2, 3, ...Array.from({ length: 20 }, (_, i) => 20 + i)])
    expect(spectator.times).toEqual(every100(40))
  })

  it('waits for an awaited reader before it delivers the next packet', async () => {
    const peer = await footagePeer({ count: 12 })
    const connection = connect(peer, client)
    let inside = 0
    let most = 0
    let packets = 0
    const awaited: PacketReader = {
      async packet() {
        packets++
        most = Math.max(most, ++inside)
        await delay(15)
        inside--
      },
    }
    connection.attach(awaited, { awaited: true })
    await connection.run(never())
    expect([most, packets]).toEqual([1, 12])
  })

  it('ends with the error of an awaited reader', async () => {
    const peer = await footagePeer({})
    const connection = connect(peer, client)
    const closed: number[] = []
    connection.attach({ packet: () => {}, closed: () => void closed.push(1) })
    const broken: PacketReader = {
      packet: ({ sequence }) => (sequence === 3 ? Promise.reject(new Error('broken')) : undefined),
    }
    connection.attach(broken, { awaited: true })
    await expect(connection.run(never())).rejects.toThrow('broken')
    expect(closed).toEqual([1])
    await expect.poll(() => peer.connections.size).toBe(0)
  })

  it('attaches a reader during a run, from the next keyframe on, and detaches it', async () => {
    const peer = await footagePeer({ count: 40 })
    const connection = connect(peer, client)
    const sequences: number[] = []
    let closed = 0
    const late: PacketReader = {
      packet({ sequence }) {
        sequences.push(sequence)
        if (sequence === 24) detach()
      },
      closed: () => void closed++,
    }
    let detach = () => {}
    connection.attach({
      packet({ sequence }) {
        if (sequence === 4) detach = connection.attach(late)
      },
    })
    await connection.run(never())
    expect(sequences).toEqual(Array.from({ length: 15 }, (_, i) => 10 + i))
    expect(closed).toBe(1)
  })
})

describe('lost packets', () => {
  it('cause a gap in the sequence numbers', async () => {
    const peer = await footagePeer({ count: 25, before: (_rtp, index) => (index === 13 ? () => true : undefined) })
    const connection = connect(peer, 'own')
    const sequences: number[] = []
    connection.attach({ packet: ({ sequence }) => void sequences.push(sequence) })
    await connection.run(never())
    expect(sequences).toEqual([...Array.from({ length: 13 }, (_, i) => i), 14, 15, 16, 17, 18])
  })
})
