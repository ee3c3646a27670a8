import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, describe, expect, it } from 'vitest'
import { createConnection } from '../connection.ts'
import type { VideoPacket } from '../packet.ts'
import { type PlayOptions, pictures, playFootage, reorderedPictures } from '../test-peer/footage.ts'
import { type Peer, startRtspPeer } from '../test-peer/rtsp-peer.ts'
import { createRing, type Ring, type RingGop, type RingOptions } from './ring.ts'
import { createSpillSpace, type SpillSpace } from './spill.ts'

const peers: Peer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})

/** Content of a ring after the footage; a picture lasts 100 ms, and every tenth is a keyframe. */
async function fill(options: RingOptions, play: PlayOptions): Promise<Ring> {
  const peer = await startRtspPeer({
    play: (rtp, connection) =>
      void playFootage(rtp, connection, { intervalMs: 1, ...play }).then(() => connection.end()),
  })
  peers.push(peer)
  const ring = createRing(options)
  const connection = createConnection({ url: peer.url() })
  connection.attach(ring)
  await connection.run(AbortSignal.timeout(20_000))
  return ring
}

const starts = (gops: readonly RingGop[]) => gops.map(({ packets }) => Math.round(packets[0]?.timeMs ?? -1))
const sizeOf = (gops: readonly RingGop[]) =>
  gops.flatMap(({ packets }) => packets).reduce((sum, { data }) => sum + data.length, 0)

describe('a ring', () => {
  it('cuts at the last keyframe before a time', async () => {
    const ring = await fill({ spanMs: 60_000, maxBytes: 2 ** 20 }, { count: 45 })
    expect(starts(ring.cut(2999))).toEqual([2000, 3000, 4000])
    expect(starts(ring.cut(3000))).toEqual([3000, 4000])
    expect(starts(ring.cut(99_999))).toEqual([4000])
    expect(starts(ring.cut(-1))).toEqual([0, 1000, 2000, 3000, 4000])
    expect(ring.cut(4000)[0]?.packets).toHaveLength(5)
    expect(ring.bytes).toBe(sizeOf(ring.cut(0)))
  })

  it('stores the sent packets in its own memory', async () => {
    const ring = await fill({ spanMs: 60_000, maxBytes: 2 ** 20 }, { count: 20 })
    const gops = ring.cut(0)
    const held = gops.flatMap(({ packets, parameters }) => packets.map(({ data }) => parameters.split(data)))
    expect(held).toEqual(pictures.h264.slice(0, 20).map(({ nals }) => nals))
    for (const { packets } of gops) for (const { data } of packets) expect(data.buffer.byteLength).toBe(data.length)
  })

  it('keeps the groups that cover its span', async () => {
    const ring = await fill({ spanMs: 1500, maxBytes: 2 ** 20 }, { count: 45 })
    expect(starts(ring.cut(0))).toEqual([2000, 3000, 4000])
  })

  it('keeps held packets beyond its span, within its byte limit', () => {
    const held = (maxBytes: number) => {
      const ring = createRing({ spanMs: 500, maxBytes })
      const parameters = { codec: null, parameterSets: [], split: () => null }
      const packet = (i: number) => ({ sequence: i, keyframe: true, timeMs: i * 1000, bytes: 100, parameters })
      for (let i = 0; i < 7; i++) {
        if (i === 3) ring.hold(2500)
        void ring.packet({ ...packet(i), data: () => Buffer.alloc(100) } as unknown as VideoPacket)
      }
      return starts(ring.cut(0))
    }
    expect(held(2 ** 20)).toEqual([2000, 3000, 4000, 5000, 6000])
    expect(held(250)).toEqual([5000, 6000])
  })

  it('drops whole groups of pictures above its byte limit', async () => {
    const maxBytes = 12_000
    const ring = await fill({ spanMs: 60_000, maxBytes }, { count: 65 })
    const gops = ring.cut(0)
    expect(ring.bytes).toBeLessThanOrEqual(maxBytes)
    expect(ring.bytes).toBe(sizeOf(gops))
    expect(gops.length).toBeGreaterThan(0)
    for (const { packets } of gops) expect(packets[0]?.keyframe).toBe(true)
    expect(starts(gops).at(-1)).toBe(6000)
  })

  it('drops a group of pictures larger than its byte limit', async () => {
    const ring = await fill({ spanMs: 2000, maxBytes: 500 }, { count: 25 })
    expect([ring.bytes, ring.cut(0)]).toEqual([0, []])
  })

  describe('with a group of 120 s beyond its memory', () => {
    const folder = temporaryFolder('vigia-ring-')
    const PICTURE = 1_000
    const parameters = { codec: null, parameterSets: [], split: () => null }
    /** Joined in the middle: the pictures from the keyframe up to 87 s. */
    const joinStream = (spill: SpillSpace | null, maxBytes = 100 * PICTURE) => {
      const ring = createRing({ spanMs: 10_000, maxBytes, spill })
      for (let i = 0; i < 870; i++) {
        const packet = { sequence: i, keyframe: i === 0, timeMs: i * 100, bytes: PICTURE, parameters }
        void ring.packet({ ...packet, data: () => Buffer.alloc(PICTURE, i % 251) } as unknown as VideoPacket)
      }
      return ring
    }
    const spaceOf = (maxBytes: number) => createSpillSpace({ folder, maxBytes, reserveBytes: 0 })

    it('keeps it on the disk, and frees the disk behind the last user', () => {
      const space = spaceOf(2_000 * PICTURE)
      const ring = joinStream(space)
      expect([ring.bytes, space.bytes]).toEqual([100 * PICTURE, 770 * PICTURE])
      // No name is left for a process that dies.
      expect(readdirSync(folder)).toEqual([])
      const [gop, ...others] = ring.cut(80_000)
      expect(others).toEqual([])
      expect(gop?.packets.map(({ data }) => data)).toEqual(
        Array.from({ length: 870 }, (_, i) => Buffer.alloc(PICTURE, i % 251)),
      )
      expect([ring.newest(), ring.isFull]).toEqual([null, false])
      ring.clear()
      expect(gop?.packets[0]?.data[0]).toBe(0)
      gop?.close?.()
      expect(space.bytes).toBe(0)
    })

    it('reports a disk that fails, once', () => {
      const failures: unknown[] = []
      const file = join(folder, 'no-folder')
      writeFileSync(file, '')
      const failed = (error: unknown) => failures.push(error)
      const space = createSpillSpace({ folder: file, maxBytes: 2 ** 30, reserveBytes: 0, failed })
      const ring = joinStream(space)
      expect([ring.bytes, ring.cut(0)]).toEqual([0, []])
      expect(failures).toMatchObject([{ code: 'EEXIST' }])
    })

    it('drops a group that neither the memory nor the disk can hold', () => {
      const reserved = createSpillSpace({ folder, maxBytes: 2 ** 30, reserveBytes: 2 ** 60 })
      for (const space of [null, spaceOf(100 * PICTURE), reserved]) {
        const ring = joinStream(space)
        expect([ring.bytes, ring.cut(0), space?.bytes ?? 0]).toEqual([0, [], 0])
      }
    })
  })

  it('marks changes of the parameter sets', async () => {
    const change = [...pictures.h264.slice(0, 20), ...reorderedPictures.slice(0, 10), ...pictures.h264.slice(0, 10)]
    const ring = await fill({ spanMs: 60_000, maxBytes: 2 ** 20 }, { pictures: change, count: 40 })
    const gops = ring.cut(0)
    expect(gops.map(({ discontinuity }) => discontinuity)).toEqual([true, false, true, true])
    expect(gops[2]?.parameters.parameterSets).not.toEqual(gops[1]?.parameters.parameterSets)
    expect(gops[3]?.parameters.parameterSets).toEqual(gops[1]?.parameters.parameterSets)
  })

  it('restarts with each connection', async () => {
    const ring = createRing({ spanMs: 60_000, maxBytes: 2 ** 20 })
    for (let round = 0; round < 2; round++) {
      const peer = await startRtspPeer({
        play: (rtp, connection) => void playFootage(rtp, connection, { count: 12 }).then(() => connection.end()),
      })
      peers.push(peer)
      const connection = createConnection({ url: peer.url() })
      connection.attach(ring)
      await connection.run(AbortSignal.timeout(20_000))
      expect(starts(ring.cut(0))).toEqual([0, 1000])
      expect(ring.cut(0)[0]?.discontinuity).toBe(true)
    }
  })
})
