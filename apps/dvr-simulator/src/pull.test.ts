import { spawn, spawnSync } from 'node:child_process'
import { fabricantes } from '@vigia/contracts/fabricantes'
import { streamUrl } from '@vigia/rtsp/maker-urls'
import { type Program, startProgram } from '@vigia/testing/program'
import { createStreamReader, type StreamInfo } from '@vigia/video/stream-reader'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKeyframes } from './rtp/keyframe-calls.ts'
import { createPausePoint } from './rtp/pause-point.ts'
import { createGatekeeper } from './rtsp/gatekeeper.ts'
import { createRtspServer, type RtspServer } from './rtsp/server.ts'
import { shortClip } from './test/clips.ts'

const credentials = { usuario: 'admin', senha: 'p@ss:/#%& =ç' }
const FFMPEG = 'ffmpeg'
const hasFfmpeg = spawnSync(FFMPEG, ['-version']).status === 0
let program: Program
const address = (canal: number, senha = credentials.senha) => ({
  host: '127.0.0.1',
  porta: program.porta ?? 0,
  usuario: credentials.usuario,
  senha,
  canal,
})

beforeAll(async () => {
  program = await startProgram({
    entry: 'apps/dvr-simulator/src/main.ts',
    args: ['--porta', '0'],
    env: { VIGIA_SIM_USUARIO: credentials.usuario, VIGIA_SIM_SENHA: credentials.senha },
  })
})
afterAll(async () => {
  const { code } = await program.stop()
  expect(code).toBe(0)
  expect(program.output()).not.toContain(credentials.senha)
})

/** Returns the times of `count` pictures, or the reason if the stream ended before. */
async function watch(url: string, transport: 'tcp' | 'udp', count: number) {
  const stop = new AbortController()
  const times: number[] = []
  let info: StreamInfo | undefined
  const end = await createStreamReader({ url, client: transport === 'udp' ? 'own_udp' : 'own' }).run(
    {
      onInfo: (found) => {
        info = found
      },
      onFrame: (frame) => {
        times.push(frame.timestampMs)
        if (times.length >= count) stop.abort()
      },
    },
    stop.signal,
  )
  return { times, info, end }
}

const steps = (times: readonly number[]) => times.slice(1).map((time, i) => Math.round(time - (times[i] ?? 0)))

describe('our own reader', () => {
  it.each([
    ['tcp', 1, 'principal', { codec: 'h264', width: 768, height: 576 }],
    ['udp', 1, 'principal', { codec: 'h264', width: 768, height: 576 }],
    ['tcp', 2, 'sub', { codec: 'h264', width: 384, height: 288 }],
    ['tcp', 3, 'sub', { codec: 'hevc', width: 384, height: 288 }],
    ['udp', 3, 'principal', { codec: 'hevc', width: 384, height: 288 }],
  ] as const)('%s, channel %i, %s', async (transport, canal, stream, expected) => {
    const { times, info, end } = await watch(streamUrl(fabricantes.intelbras[stream], address(canal)), transport, 12)
    expect(end).toBe('aborted')
    expect(info).toMatchObject(expected)
    expect(new Set(steps(times))).toEqual(new Set([100]))
  })

  it.each(['hikvision', 'giga', 'xm'] as const)('plays the address form of %s', async (fabricante) => {
    const { end } = await watch(streamUrl(fabricantes[fabricante].sub, address(1)), 'tcp', 2)
    expect(end).toBe('aborted')
  })

  it.each(['intelbras', 'xm'] as const)('refuses a wrong password in the form of %s', async (fabricante) => {
    const { end } = await watch(streamUrl(fabricantes[fabricante].sub, address(1, 'outra')), 'tcp', 1)
    expect(end).toMatchObject({ failure: 'senha_recusada' })
  })
})

/** A loop of two seconds. */
async function startLoop(name: string): Promise<{ server: RtspServer; url: string }> {
  const now = () => performance.now()
  const video = await shortClip(name, 1, 1)
  const live = { pausePoint: createPausePoint(now), keyframes: createKeyframes(), audio: null }
  const channel = { principal: video, sub: video, quirk: null, ...live }
  const server = createRtspServer({
    host: '127.0.0.1',
    port: 0,
    channels: [channel],
    gatekeeper: createGatekeeper({ credentials, scheme: 'md5', nonceLifeMs: 600_000, now }),
    emptyAnswer: 'vazio_404',
    maxConnections: 4,
    sessionTimeoutMs: 60_000,
    now,
  })
  const { port } = await server.start()
  const url = streamUrl(fabricantes.tplink.principal, { ...credentials, host: '127.0.0.1', porta: port, canal: 1 })
  return { server, url }
}

describe('the seam of the loop', () => {
  it.each([
    ['campus-a-sub.mp4', 'tcp'],
    ['campus-c-h265.mp4', 'udp'],
  ] as const)('causes no jump in time for %s over %s', async (name, transport) => {
    const { server, url } = await startLoop(name)
    const { times, end } = await watch(url, transport, 25)
    await server.stop()
    expect(end).toBe('aborted')
    expect(new Set(steps(times))).toEqual(new Set([100]))
  })
})

/** Runs the ffmpeg program on a stream without output files; resolves with its exit code and output. */
function ffmpeg(args: readonly string[]): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(FFMPEG, ['-nostdin', '-v', 'warning', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), 25_000)
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output, errors })
    }),
  )
}

/** `framecrc` lines: stream, dts, pts, duration, size, checksum; stderr reports dropped or damaged pictures. */
const framePts = (output: string) =>
  output
    .split('\n')
    .filter((line) => /^0,/.test(line))
    .map((line) => Number(line.split(',')[2]))

describe.runIf(hasFfmpeg).concurrent('the ffmpeg program (needs ffmpeg)', () => {
  it.each([
    ['tcp', 1],
    ['udp', 1],
    ['tcp', 3],
    ['udp', 3],
  ] as const)('reads pictures without an error: %s, channel %i', async (transport, canal) => {
    const url = streamUrl(fabricantes.dahua.sub, address(canal))
    const run = await ffmpeg(['-rtsp_transport', transport, '-i', url, '-t', '3', '-f', 'null', '-'])
    expect(run).toMatchObject({ code: 0, errors: '' })
  })

  it('reads across the seam of the loop without a jump', async () => {
    const { server, url } = await startLoop('campus-a-sub.mp4')
    const copy = ['-t', '4.5', '-c', 'copy', '-f', 'framecrc', '-']
    const { output } = await ffmpeg(['-rtsp_transport', 'tcp', '-i', url, ...copy])
    await server.stop()
    const times = framePts(output)
    expect(times.length).toBeGreaterThan(40)
    // ffmpeg has no time for the first packet of an RTSP stream and sets it to 0 like the second.
    expect(new Set(steps(times.slice(1)))).toEqual(new Set([9000]))
  })

  it('is refused when its password is wrong', async () => {
    const url = streamUrl(fabricantes.dahua.sub, address(1, 'outra'))
    const { code, errors } = await ffmpeg(['-rtsp_transport', 'tcp', '-i', url, '-t', '1', '-f', 'null', '-'])
    expect(code).not.toBe(0)
    expect(errors).toContain('401')
  })
})
