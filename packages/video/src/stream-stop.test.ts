import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RtspClient } from './client-choice.ts'
import { createStreamReader, type StreamHandlers } from './stream-reader.ts'
import { playFootage } from './test-peer/footage.ts'
import { type Peer, sdpOf, startRtspPeer } from './test-peer/rtsp-peer.ts'

const handlers: StreamHandlers = {
  onInfo: () => {},
  onFrame: async (frame) => {
    await frame.toPacked('bgr', 416, 416)
    await frame.toJpeg({ crop: { x: 0.1, y: 0.1, w: 0.5, h: 0.5 } })
  },
}
const never = new AbortController().signal
const openFiles = (): number => readdirSync('/proc/self/fd').length

let mute: Peer
let unknown: Peer
let codec: Peer
let playing: Peer
let stalling: Peer
beforeAll(async () => {
  mute = await startRtspPeer({ connected: () => true })
  unknown = await startRtspPeer({
    react: (request) => (request.method === 'DESCRIBE' ? { status: '404 Not Found' } : 'regular'),
  })
  codec = await startRtspPeer({ sdp: sdpOf('h264').replace('H264', 'NONE') })
  playing = await startRtspPeer({ play: (rtp, connection) => void playFootage(rtp, connection, { intervalMs: 5 }) })
  stalling = await startRtspPeer({
    play: (rtp, connection) => void playFootage(rtp, connection, { intervalMs: 2, count: 5 }),
  })
})
afterAll(() => Promise.all([mute, unknown, codec, playing, stalling].map((peer) => peer.close())))

const clients = ['ffmpeg', 'own'] as const

/** Longer than the time limit of a test: a reader that waited for its own limits would fail it. */
const NEVER_MS = 600_000

/** Starts a reader, aborts after `ms` and waits until it has stopped. */
async function stopAfter(peer: Peer, ms: number, client: RtspClient): Promise<void> {
  const stop = new AbortController()
  const limits = { openTimeoutMs: NEVER_MS, stallTimeoutMs: NEVER_MS }
  const run = createStreamReader({ url: peer.url(), client, ...limits }).run(handlers, stop.signal)
  await delay(ms)
  stop.abort()
  expect(await run).toBe('aborted')
}

describe('stopping', () => {
  it('does not connect when the signal is already aborted', async () => {
    const before = playing.requests.length
    expect(await createStreamReader({ url: playing.url() }).run(handlers, AbortSignal.abort())).toBe('aborted')
    expect(playing.requests).toHaveLength(before)
  })

  it('waits for no time limit in any phase, 60 times, and closes every connection', async () => {
    for (let round = 0; round < 15; round++) {
      // Spread over connect, first keyframe, playing and stall.
      const ms = round * 10
      for (const client of clients)
        await Promise.all([mute, playing, stalling, playing].map((peer) => stopAfter(peer, ms, client)))
    }
    for (const peer of [mute, playing, stalling]) await expect.poll(() => peer.connections.size).toBe(0)
  })

  it('has no side effects while the open fails at the same time', async () => {
    for (let round = 0; round < 50; round++) {
      const peer = await startRtspPeer({
        connected: (connection) => {
          setTimeout(() => connection.destroy(), round % 5)
          return true
        },
      })
      const stop = new AbortController()
      const client = round % 2 === 0 ? 'ffmpeg' : 'own'
      const run = createStreamReader({ url: peer.url(), client }).run(handlers, stop.signal)
      await delay((round * 3) % 7)
      stop.abort()
      await run
      await peer.close()
    }
  })
})

describe('the memory and output of readers', () => {
  it('do not grow after 200 failing opens and 50 stops', async () => {
    const round = async (opens: number, stops: number) => {
      for (let i = 0; i < opens; i++) {
        for (const client of clients)
          for (const peer of [unknown, codec])
            await createStreamReader({ url: peer.url(), client }).run(handlers, never)
      }
      for (let i = 0; i < stops; i++) for (const client of clients) await stopAfter(playing, (i % 5) * 10, client)
    }
    await round(20, 10)
    const files = openFiles()
    const memory = process.memoryUsage.rss()
    await round(100, 50)
    await expect.poll(openFiles).toBeLessThanOrEqual(files + 2)
    expect((process.memoryUsage.rss() - memory) / 2 ** 20).toBeLessThan(60)
  })

  it('contain no address or password', async () => {
    const script = `
      const { createStreamReader } =
        await import(${JSON.stringify(new URL('./stream-reader.ts', import.meta.url).href)})
      for (const url of process.env.URLS.split(' ')) for (const client of ['ffmpeg', 'own']) {
        const reader = createStreamReader({ url, client, openTimeoutMs: 300, stallTimeoutMs: 300 })
        const end = await reader.run({ onInfo() {}, onFrame() {} }, new AbortController().signal)
        if (JSON.stringify(end).includes('segredo')) throw new Error('leak')
      }`
    const urls = [mute, unknown, codec, stalling].map((peer) => peer.url('segredo/caminho', 'usuario:segredo'))
    urls.push(
      'rtsp://usuario:segredo@127.0.0.1:1/x',
      'rtsp://usuario:segredo@camera.invalid/x',
      'http://usuario:segredo@x/',
    )
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, URLS: urls.join(' '), NODE_NO_WARNINGS: '1' },
    })
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' })
  })
})
