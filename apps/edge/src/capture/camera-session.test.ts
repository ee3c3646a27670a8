import { createServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { FrameTime } from '@vigia/analysis/model'
import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { type ClientChoice, createClientChoice, type RtspClient, toClientChoice } from '@vigia/video/client-choice'
import type { Picture } from '@vigia/video/test-peer/annex-b'
import { pictures, playFootage, ticks } from '@vigia/video/test-peer/footage'
import { startRtspPeer } from '@vigia/video/test-peer/rtsp-peer'
import pino from 'pino'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { type CameraSession, createCameraSession } from './camera-session.ts'

/** Footage of the recorder simulator. */
const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-sub.mp4', import.meta.url))
const PASSWORD = 'segredo-da-camera'

const lines: string[] = []
let session: CameraSession | null = null
let server: Server | null = null
const sockets = new Set<Socket>()
/** Counts the bytes that arrive on a port that never answers. */
const received: string[] = []

function begin(
  principal: string,
  sub: string | null = null,
  rtspClient: RtspClient | ClientChoice = 'own',
  audio = false,
) {
  const times: FrameTime[] = []
  const started = createCameraSession({
    mask: null,
    audio,
    cameraId: 1,
    fontes: { rtsp_url: principal, sub_rtsp_url: sub },
    lastFailure: null,
    rtspClient: toClientChoice(rtspClient),
    slots: createOwnSlots(createHostSlots(2)),
    maxFps: 5,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    onFrame: async (_, time) => void times.push(time),
    onChange: () => {},
  })
  session = started
  return { session: started, times }
}

/** Opens a port that answers every connection with `greeting`, or never answers without it. */
async function listen(greeting: string | null): Promise<number> {
  const listening = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (greeting !== null) socket.end(greeting)
    else socket.on('data', (chunk) => void received.push(chunk.toString()))
  })
  server = listening
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const address = listening.address()
  return typeof address === 'object' && address ? address.port : 0
}

afterEach(async () => {
  await session?.stop()
  session = null
  for (const socket of sockets) socket.destroy()
  server?.close()
  expect(lines.join('')).not.toContain(PASSWORD)
})

const failure = () => session?.status().failure

describe('createCameraSession', () => {
  it("reads with FFmpeg's client at once what the own client cannot read, and remembers it", async () => {
    const peer = await startRtspPeer({
      react: ({ headers }) =>
        headers['user-agent'] === 'Vigia' ? { status: '455 Method Not Valid in This State' } : 'regular',
      play: (rtp, connection) => void playFootage(rtp, connection, { intervalMs: 20 }),
    })
    onTestFinished(() => peer.close())
    const kept: string[] = []
    const choice = createClientChoice({
      first: 'own',
      kept: [],
      onKept: ({ url, client }, why) => void kept.push(`${url} ${client} ${why}`),
    })
    const { times } = begin(peer.url(), null, choice)
    await waitFor('frames', () => times.length > 2, { timeoutMs: 20_000 })
    expect(kept).toEqual([`${peer.url()} ffmpeg sem_video`])
    expect(choice.of(peer.url())).toBe('ffmpeg')
  })

  it.each([
    ['udp_so', 'own', false, []],
    ['tcp_sem_pacotes', 'own_udp', false, ['own_udp sem_quadros']],
    ['fora_de_ordem', 'own_udp', false, ['own_udp video_danificado']],
    ['udp_so', 'own', true, []],
  ] as const)('reads a camera that is of use over UDP only: %s', async (defeito, client, audio, expected) => {
    const recorder = await startRecorder({ argumentos: ['--audio', 'pcma'], defeitos: { 1: defeito } })
    onTestFinished(() => recorder.close())
    const kept: string[] = []
    const choice = createClientChoice({
      first: 'own',
      kept: [],
      onKept: (one, why) => void kept.push(`${one.client} ${why}`),
    })
    const url = recorder.url(1, 'sub')
    const { session: current, times } = begin(url, null, choice, audio)
    await waitFor('frames', () => times.length > 5)
    expect(current.status()).toMatchObject({ online: true, leitura: 'udp' })
    expect(current.status().perdas).toMatchObject({ perdidos: 0 })
    expect([choice.of(url), kept]).toEqual([client, expected])
  })

  it("keeps the answer that the own client has seen when FFmpeg's client fails too", async () => {
    const recorder = await startRecorder({ defeitos: { 1: 'vazio_454' } })
    onTestFinished(() => recorder.close())
    const choice = createClientChoice({ first: 'own', kept: [], onKept: () => {} })
    lines.length = 0
    const { session: current } = begin(recorder.url(1), null, choice)
    await waitFor('both attempts', () => lines.filter((line) => line.includes('stream ended')).length >= 2)
    expect(current.status()).toMatchObject({ failure: 'sem_video', detail: 'respondeu 454 a DESCRIBE' })
  })

  it("never tries FFmpeg's client after a refused login", async () => {
    const peer = await startRtspPeer({ credentials: { user: 'admin', password: 'certa' } })
    onTestFinished(() => peer.close())
    const choice = createClientChoice({ first: 'own', kept: [], onKept: () => {} })
    begin(peer.url('stream', 'admin:errada'), null, choice)
    await waitFor('the refusal', () => failure() === 'senha_recusada')
    expect(choice.isTrying(peer.url('stream', 'admin:errada'))).toBe(false)
    expect(peer.requests.filter(({ headers }) => headers.authorization)).toHaveLength(1)
  })

  it('reads the video of a recorder that refuses its audio', async () => {
    const recorder = await startRecorder({ argumentos: ['--audio', 'pcma'], defeitos: { 1: 'recusa_audio' } })
    const { session: current, times } = begin(recorder.url(1, 'sub'), null, 'ffmpeg', true)
    await waitFor('frames', () => times.length > 5)
    expect(current.status()).toMatchObject({ online: true, audio: 'sem_audio' })
    await recorder.close()
  })

  it('says that the audio is sent', async () => {
    const recorder = await startRecorder({ argumentos: ['--audio', 'aac'] })
    const { session: current, times } = begin(recorder.url(1, 'sub'), null, 'ffmpeg', true)
    await waitFor('frames', () => times.length > 5)
    expect(current.status()).toMatchObject({ online: true, audio: 'enviando' })
    await recorder.close()
  })

  it('emits frames at the configured rate on a monotonic timeline, and reconnects after the video', async () => {
    const { session: current, times } = begin(footage)
    await waitFor('frames', () => times.length > 5)
    expect(current.status()).toMatchObject({ online: true, codec: 'h264', resolution: '384x288' })
    const seen = () => current.status().keyframeIntervalMs
    // The encoder of the footage sets a keyframe at least every 2 s.
    expect(await waitFor('two keyframes', seen)).toBeGreaterThan(0)
    expect(current.status().bitrateKbps).toBeGreaterThan(0)
    await waitFor('a second run', () => lines.filter((line) => line.includes('fluxo_encerrado')).length >= 2)
    const steps = times.slice(1).map(({ streamMs }, i) => streamMs - (times[i]?.streamMs ?? 0))
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(0)
    expect(current.status().online).toBe(true)
  })

  it('reads the sub stream, and the main stream after the sub stream has failed', async () => {
    const { times } = begin(footage, 'rtsp://127.0.0.1:1/sub')
    await waitFor('frames of the main stream', () => times.length > 0)
    expect(lines.some((line) => line.includes('"fluxo":"sub"') && line.includes('conexao_recusada'))).toBe(true)
  })

  it('names a dead sub stream, and reads the main stream after its first failure', async () => {
    const recorder = await startRecorder({ defeitos: { 2: 'vazio_454' } })
    onTestFinished(() => recorder.close())
    lines.length = 0
    const { session: current, times } = begin(recorder.url(1), recorder.url(2, 'sub'))
    await waitFor('frames of the main stream', () => times.length > 0)
    expect(lines.filter((line) => line.includes('"fluxo":"sub"'))).toHaveLength(1)
    const subFailure = { failure: 'sem_video', detail: expect.any(String) }
    expect(current.status()).toMatchObject({ online: true, failure: null, choice: 'principal', subFailure })
    current.use({ rtsp_url: recorder.url(1), sub_rtsp_url: recorder.url(1, 'sub') })
    await waitFor('frames of the sub stream', () => current.status().online && current.status().choice === 'sub')
    expect(current.status()).not.toHaveProperty('subFailure')
  })

  it('reports the reason of a failed connection and reads a new address at once', async () => {
    const { session: current, times } = begin(`rtsp://u:${PASSWORD}@127.0.0.1:1/x`)
    await waitFor('the reason', () => failure() === 'conexao_recusada')
    current.use({ rtsp_url: footage, sub_rtsp_url: null })
    expect(current.status().failure).toBe('conectando')
    await waitFor('frames', () => times.length > 0)
    expect(current.status().online).toBe(true)
  })

  it('reconnects at once after a restart command, as without earlier failures', async () => {
    const refusals = () => lines.filter((line) => line.includes('conexao_recusada')).length
    const { session: current } = begin(`rtsp://u:${PASSWORD}@127.0.0.1:1/x`)
    lines.length = 0
    await waitFor('the third failure', () => refusals() >= 3)
    current.restart()
    expect(current.status().failure).toBe('conectando')
    await waitFor('another attempt', () => refusals() >= 4, { everyMs: 5 })
    // The delay after a third failure is at least two seconds, after a first failure at most one second.
    const waits = lines.flatMap((line) => (line.includes('esperaMs') ? [Number(JSON.parse(line).esperaMs)] : []))
    expect(waits.at(-1)).toBeLessThanOrEqual(1_000)
  })

  it('stays online during a reconnection on command', async () => {
    const { session: current, times } = begin(footage)
    await waitFor('frames', () => times.length > 3)
    current.restart()
    expect(current.status()).toMatchObject({ online: true, failure: 'conectando' })
    const seen = times.length
    await waitFor('frames again', () => times.length > seen && current.status().failure !== 'conectando')
    expect(current.status().online).toBe(true)
  })

  it('reports a server that is not a recorder', async () => {
    const port = await listen('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')
    begin(`rtsp://u:${PASSWORD}@127.0.0.1:${port}/x`)
    await waitFor('the reason', () => failure() !== 'conectando')
    expect(failure()).toBe('nao_e_rtsp')
  })

  it.each([
    ['ffmpeg', /User-Agent: Lavf/],
    ['own', /User-Agent: Vigia/],
  ] as const)('reads RTSP with the %s client', async (client, agent) => {
    received.length = 0
    const port = await listen(null)
    begin(`rtsp://u:${PASSWORD}@127.0.0.1:${port}/x`, null, client)
    await waitFor('a request', () => received.join('').includes('\r\n\r\n'))
    expect(received.join('')).toMatch(agent)
  })

  it.each(['own', 'ffmpeg'] as const)('waits for the keyframe of a long group with the %s client', async (client) => {
    const gate = { isOpen: false }
    const [key, ...middle] = pictures.h264.slice(0, 10)
    const peer = await startRtspPeer({
      play(rtp, connection) {
        const wait = (): Picture[] => (gate.isOpen && key ? [key, ...middle] : middle)
        const play = async (index = 0): Promise<void> => {
          const part = wait()
          await playFootage(rtp, connection, {
            pictures: part,
            count: part.length,
            intervalMs: 20,
            timestamp: (at) => (index + at) * ticks,
          })
          if (!connection.destroyed) await play(index + part.length)
        }
        void play()
      },
    })
    onTestFinished(() => peer.close())
    const { session: current, times } = begin(peer.url(), null, client)
    await waitFor('the state', () => failure() === 'aguardando_quadro_chave')
    const { keyframeAgeMs, detail, keyframeIntervalMs } = current.status()
    expect(detail).toMatch(/^há \d+ s sem quadro-chave$/)
    expect(keyframeIntervalMs).toBeNull()
    // Nobody must take the wait for a reader that hangs.
    expect(current.silentMs()).toBeLessThan(keyframeAgeMs ?? 0)
    gate.isOpen = true
    await waitFor('frames', () => times.length > 0)
    expect(current.status()).toMatchObject({ online: true, failure: null })
    expect(peer.requests.filter(({ method }) => method === 'PLAY')).toHaveLength(1)
  })

  it('stops during a connection attempt without an answer', async () => {
    const port = await listen(null)
    const { session: current } = begin(`rtsp://u:${PASSWORD}@127.0.0.1:${port}/x`)
    await waitFor('the connection', () => sockets.size > 0)
    lines.length = 0
    await current.stop()
    // It does not wait until the attempt has failed.
    expect(lines.filter((line) => line.includes('esperaMs'))).toEqual([])
  })
})
