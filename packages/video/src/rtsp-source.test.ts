import { afterEach, describe, expect, it } from 'vitest'
import { createConnection } from './connection.ts'
import { createDecoderReader } from './readers/decoder.ts'
import { createRtspSource } from './rtsp-source.ts'
import { playFootage } from './test-peer/footage.ts'
import { type Peer, type PeerOptions, type Reaction, sdpOf, startRtspPeer } from './test-peer/rtsp-peer.ts'

const peers: Peer[] = []
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()))
})

async function start(options: PeerOptions): Promise<Peer> {
  const peer = await startRtspPeer(options)
  peers.push(peer)
  return peer
}

const at = (method: string, reaction: Reaction): PeerOptions => ({
  react: (request) => (request.method === method ? reaction : 'regular'),
})
const failure = (code: string, detail: string | null = null) => ({ failure: code, detail })

describe('the own client', () => {
  it.each<[string, PeerOptions, ReturnType<typeof failure>]>([
    ['no such stream', at('DESCRIBE', { status: '404 Not Found' }), failure('nao_encontrado')],
    ['mute', at('DESCRIBE', 'mute'), failure('sem_resposta')],
    ['a codec without a decoder', { sdp: sdpOf('h264').replace('H264', 'VP9') }, failure('codec_nao_suportado', 'VP9')],
    ['nothing after PLAY', {}, failure('sem_quadros')],
    [
      'stops sending',
      { play: (rtp, c) => void playFootage(rtp, c, { count: 15, intervalMs: 2 }) },
      failure('video_parado'),
    ],
  ])('returns the same reason as FFmpeg: %s', async (_name, options, expected) => {
    const peer = await start(options)
    for (const client of ['own', 'ffmpeg'] as const) {
      const connection = createConnection({ url: peer.url(), client, openTimeoutMs: 300, stallTimeoutMs: 300 })
      connection.attach(createDecoderReader({ onInfo: () => {}, onFrame: () => {} }), { awaited: true })
      expect(await connection.run(AbortSignal.timeout(10_000))).toEqual(expected)
    }
  })

  it('drops packets for a slow reader up to the next keyframe', async () => {
    const peer = await start({
      play: (rtp, connection) =>
        void playFootage(rtp, connection, { count: 45, intervalMs: 1 }).then(() => connection.end()),
    })
    const gate = Promise.withResolvers<void>()
    // The gate opens after the last packet is sent.
    const ended = new Promise((resolve) => setTimeout(resolve, 20))
    const seen: [number, boolean, boolean][] = []
    const timeouts = { openTimeoutMs: 5000, stallTimeoutMs: 2000 }
    const source = createRtspSource(peer.url(), { transport: 'auto', ...timeouts, maxWaitingBytes: 15_000 })
    const run = source.run(
      {
        opened: async () => {},
        packet({ ptsMs, keyframe, missing }) {
          seen.push([Math.round(ptsMs ?? -1), keyframe, missing])
          return seen.length === 1 ? gate.promise : undefined
        },
      },
      AbortSignal.timeout(10_000),
    )
    await ended
    await expect.poll(() => peer.connections.size).toBe(0)
    gate.resolve()
    expect(await run).toEqual(failure('fluxo_encerrado'))
    expect(seen[0]).toEqual([0, true, false])
    expect(seen[1]).toMatchObject([expect.any(Number), true, true])
    const [, ...later] = seen
    expect(later.length).toBeLessThan(30)
    expect(later.at(-1)?.[0]).toBe(4400)
    for (let i = 1; i < later.length; i++) expect((later[i]?.[0] ?? 0) - (later[i - 1]?.[0] ?? 0)).toBe(100)
  })

  it('stops within milliseconds', async () => {
    const peer = await start({ play: (rtp, connection) => void playFootage(rtp, connection, {}) })
    const stop = new AbortController()
    const connection = createConnection({ url: peer.url(), client: 'own' })
    connection.attach({ packet: ({ sequence }) => (sequence === 3 ? stop.abort() : undefined) })
    const result = await connection.run(stop.signal)
    expect(result).toBe('aborted')
    await expect.poll(() => peer.connections.size).toBe(0)
  })
})
