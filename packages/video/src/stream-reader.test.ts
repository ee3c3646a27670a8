import { setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { createConnection } from './connection.ts'
import { createDecoderReader } from './readers/decoder.ts'
import { createStreamReader, type StreamInfo, type StreamReaderOptions, type VideoFrame } from './stream-reader.ts'
import type { Codec } from './test-peer/annex-b.ts'
import { fixture, fmtpOf, type PlayOptions, playFootage, ticks } from './test-peer/footage.ts'
import { type Peer, type PeerOptions, sdpOf, startRtspPeer } from './test-peer/rtsp-peer.ts'

const peers: Peer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})

async function peerThat(options: PeerOptions): Promise<Peer> {
  const peer = await startRtspPeer(options)
  peers.push(peer)
  return peer
}

/** A peer that plays the fixture with the options `play` and then closes the connection. */
const footagePeer = (play: PlayOptions, options: PeerOptions = {}): Promise<Peer> =>
  peerThat({
    ...(play.codec ? { codec: play.codec } : {}),
    ...options,
    play: (rtp, connection) => void playFootage(rtp, connection, play).then(() => connection.end()),
  })

interface Seen {
  readonly infos: StreamInfo[]
  readonly times: number[]
  readonly result: unknown
}

async function watch(
  options: StreamReaderOptions,
  onFrame: (frame: VideoFrame, times: number[]) => Promise<void> | void = () => {},
): Promise<Seen> {
  const infos: StreamInfo[] = []
  const times: number[] = []
  const result = await createStreamReader({ openTimeoutMs: 5000, stallTimeoutMs: 2000, ...options }).run(
    {
      onInfo: (info) => infos.push(info),
      onFrame: (frame) => {
        times.push(Math.round(frame.timestampMs))
        return onFrame(frame, times)
      },
    },
    AbortSignal.timeout(20_000),
  )
  return { infos, times, result }
}

const every100 = (count: number): number[] => Array.from({ length: count }, (_, i) => i * 100)
/** An SDP with the parameter sets. */
const fullSdp = (codec: Codec): string =>
  sdpOf(codec).replace('a=control:track1', `${fmtpOf(codec)}\r\na=control:track1`)
const ended = { failure: 'fluxo_encerrado', detail: null }

describe('a live stream', () => {
  it.each([
    // Macroblocks of H.264 are 16 pixels high, so that a picture has 128 lines there.
    ['h264', 'own', 'h264', 4 * 160 * 128 * 1.5],
    ['h265', 'own', 'hevc', 4 * 160 * 120 * 1.5],
    ['h264', 'own_udp', 'h264', 4 * 160 * 128 * 1.5],
    ['h265', 'own_udp', 'hevc', 4 * 160 * 120 * 1.5],
    ['h264', 'ffmpeg_udp', 'h264', 4 * 160 * 128 * 1.5],
    ['h265', 'ffmpeg_udp', 'hevc', 4 * 160 * 120 * 1.5],
  ] as const)('of %s is decoded with the client %s', async (codec, client, name, decoderBytes) => {
    const peer = await footagePeer({ codec, count: 25 })
    const { infos, times, result } = await watch({ url: peer.url(), client })
    expect(infos).toEqual([{ codec: name, width: 160, height: 120, fps: 10, decoderBytes }])
    expect(times).toEqual(every100(25))
    expect(result).toEqual(ended)
    expect(peer.requests.map((request) => request.method)).toEqual(['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY'])
  })

  it('opens with a password of special characters', async () => {
    const credentials = { user: 'ad min', password: 'p:@/?#%é' }
    const peer = await footagePeer({ count: 12 }, { credentials })
    const userinfo = `${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}`
    expect((await watch({ url: peer.url('stream', userinfo) })).times.length).toBe(12)
  })

  it.each(['h264', 'h265'] as const)('of %s with parameter sets only in the SDP', async (codec) => {
    const peer = await footagePeer({ codec, count: 12, withoutParameterSets: true }, { sdp: fullSdp(codec) })
    expect((await watch({ url: peer.url() })).times).toHaveLength(12)
  })

  it.each(['h264', 'h265'] as const)('of %s with broken parameter sets in the SDP', async (codec) => {
    const sdp = fullSdp(codec).replaceAll(/=[A-Za-z0-9+/]{8}/g, '=AAAAAAAA')
    const peer = await footagePeer({ codec, count: 12 }, { sdp })
    expect((await watch({ url: peer.url() })).times).toHaveLength(12)
  })

  it.each(['h264', 'h265'] as const)('of %s starts at a keyframe', async (codec) => {
    // Pictures 4 to 9 depend on pictures that were not sent; the keyframe is the 7th.
    const peer = await footagePeer({ codec, from: 4, count: 20 }, { sdp: fullSdp(codec) })
    expect((await watch({ url: peer.url() })).times).toHaveLength(20 - 6)
  })

  it.each([
    ['h264', 'own', (packet: number) => packet === 1],
    ['h264', 'own_udp', (packet: number) => packet === 1],
    ['h264', 'ffmpeg_udp', (packet: number) => packet === 1],
    ['h265', 'own', () => true],
    ['h265', 'own_udp', () => true],
    ['h265', 'ffmpeg_udp', () => true],
  ] as const)('of %s with the client %s passes no damaged picture after a loss', async (codec, client, lose) => {
    const peer = await footagePeer({ codec, count: 25, before: (_rtp, index) => (index === 13 ? lose : undefined) })
    const { times } = await watch({ url: peer.url(), client })
    expect(times).toEqual(every100(25).filter((time) => time < 1300 || time >= 2000))
  })

  it('keeps its stream time when a report or a jump of the clock shifts the timestamps', async () => {
    const day = 86_400 * 90_000
    const peer = await footagePeer({
      count: 30,
      before: (rtp, index) => {
        if (index === 5) rtp.senderReport(1_700_000_000, 5_000_000)
        if (index === 10) rtp.senderReport(1_800_000_000, 1_000_000 + 10 * ticks)
        return undefined
      },
      timestamp: (index) => 1_000_000 + index * ticks + (index >= 20 ? day : 0),
    })
    const { times } = await watch({ url: peer.url() })
    expect(times).toHaveLength(30)
    expect(times[0]).toBe(0)
    for (let i = 1; i < times.length; i++) {
      const step = (times[i] ?? 0) - (times[i - 1] ?? 0)
      expect(step).toBeGreaterThan(0)
      expect(step).toBeLessThan(2000)
    }
  })

  it('passes at most maxFps pictures a second of stream time', async () => {
    const peer = await footagePeer({ count: 31 })
    expect((await watch({ url: peer.url(), maxFps: 5 })).times).toEqual(every100(31).filter((time) => time % 200 === 0))
  })

  it('drops pictures for a slow handler, which then gets a current one', async () => {
    const gate = Promise.withResolvers<void>()
    const peer = await footagePeer({ count: 80, intervalMs: 2 })
    const connection = createConnection({ url: peer.url() })
    connection.attach({ packet: ({ sequence }) => (sequence === 60 ? gate.resolve() : undefined) })
    let inside = 0
    let most = 0
    const times: number[] = []
    const onFrame = async (frame: VideoFrame) => {
      times.push(frame.timestampMs)
      most = Math.max(most, ++inside)
      await gate.promise
      inside--
    }
    connection.attach(createDecoderReader({ onInfo: () => {}, onFrame }), { awaited: true })
    await connection.run(AbortSignal.timeout(10_000))
    expect(most).toBe(1)
    expect(times[0]).toBe(0)
    expect(times[1]).toBeGreaterThanOrEqual(5500)
  })

  it('rejects with the error of the handler and closes the connection', async () => {
    const peer = await footagePeer({})
    await expect(
      watch({ url: peer.url() }, async (_frame, times) => {
        await turn()
        if (times.length === 3) throw new Error('handler broke')
      }),
    ).rejects.toThrow('handler broke')
    await expect.poll(() => peer.connections.size).toBe(0)
  })

  it('can run again with the same reader', async () => {
    const peer = await footagePeer({ count: 12 })
    const reader = createStreamReader({ url: peer.url() })
    for (let i = 0; i < 3; i++) {
      let frames = 0
      const onFrame = () => void frames++
      expect(await reader.run({ onInfo: () => {}, onFrame }, AbortSignal.timeout(10_000))).toEqual(ended)
      expect(frames).toBe(12)
    }
  })
})

describe('a file', () => {
  const url = fileURLToPath(fixture('full-range-odd.mp4'))

  it('is read to its end, with its stream information', async () => {
    const { infos, times, result } = await watch({ url })
    expect(infos).toEqual([{ codec: 'h264', width: 161, height: 121, fps: 10, decoderBytes: 10 * 176 * 128 * 1.5 }])
    expect(times).toEqual(every100(10))
    expect(result).toBe('end')
  })

  it('loses no picture to a slow handler', async () => {
    const { times } = await watch({ url, maxFps: 5 }, async (frame) => {
      await frame.toJpeg()
      await new Promise((resolve) => setTimeout(resolve, 20))
    })
    expect(times).toEqual([0, 200, 400, 600, 800])
  })
})
