import { cameraFailureText } from '@vigia/contracts/camera-failures'
import { openRtspSession } from '@vigia/rtsp/client'
import { describe } from '@vigia/rtsp/describe'
import { createLoginGate } from '@vigia/rtsp/login-gate'
import { readRtspUrl } from '@vigia/rtsp/rtsp-url'
import { pictureSize } from '@vigia/rtsp/sps'
import { createConnection } from '@vigia/video/connection'
import type { StreamParameters } from '@vigia/video/packet'
import { serveText } from './serve-text.ts'

export type Found =
  | {
      readonly ok: true
      readonly codec: string
      /** `1920x1080`; null: the text states none. */
      readonly size: string | null
      /** Path of the first SETUP. */
      readonly track: string
    }
  /** `isNamed`: the sentence names the request, the codec or the mode. */
  | { readonly ok: false; readonly sentence: string; readonly isNamed: boolean }

const TIMEOUT_MS = 2_000
const refused = (...[failure, detail]: Parameters<typeof cameraFailureText>): Found => ({
  ok: false,
  sentence: cameraFailureText(failure, detail),
  isNamed: detail != null,
})

/** Discovery and stream of the client of packages/rtsp, up to the answer to PLAY. */
export async function askOwn(text: string, isDialogue: boolean): Promise<Found> {
  const server = await serveText(text, isDialogue)
  try {
    const described = await describe({
      addresses: ['127.0.0.1'],
      url: server.url,
      credentials: readRtspUrl(server.url).credentials,
      gate: createLoginGate({ trust: true }),
      timeoutMs: TIMEOUT_MS,
      signal: new AbortController().signal,
    })
    const playing = new AbortController()
    const end = await openRtspSession({
      url: server.url,
      openTimeoutMs: TIMEOUT_MS,
      stallTimeoutMs: TIMEOUT_MS,
      signal: playing.signal,
      onParameters: () => {},
      onAccessUnit: () => {},
      onPlaying: () => playing.abort(),
    })
    if (typeof end === 'object') return refused(end.failure, end.detail)
    const video = described.kind === 'answer' ? described.video : null
    return video
      ? { ok: true, codec: video.codec, size: video.resolucao, track: server.setups[0] ?? '' }
      : refused('sem_video', 'a descoberta')
  } finally {
    await server.close()
  }
}

/** The same of FFmpeg's client. */
export async function askFfmpeg(text: string, isDialogue: boolean): Promise<Found> {
  const server = await serveText(text, isDialogue)
  try {
    const opened = new AbortController()
    const seen: { parameters?: StreamParameters; width: number; height: number } = { width: 0, height: 0 }
    const timeouts = { openTimeoutMs: TIMEOUT_MS, stallTimeoutMs: TIMEOUT_MS }
    const connection = createConnection({ url: server.url, client: 'ffmpeg', ...timeouts })
    connection.attach({
      opened({ parameters }) {
        const { width, height } = parameters.native()
        Object.assign(seen, { parameters, width, height })
        opened.abort()
      },
      packet: () => {},
    })
    const end = await connection.run(opened.signal)
    const { parameters } = seen
    if (!parameters) return typeof end === 'object' ? refused(end.failure, end.detail) : refused('erro_desconhecido')
    const { codec } = parameters
    if (codec === null) return refused('codec_nao_suportado', parameters.codecLabel)
    return { ok: true, codec, size: sizeOf(parameters, seen), track: server.setups[0] ?? '' }
  } finally {
    await server.close()
  }
}

function sizeOf({ codec, parameterSets }: StreamParameters, { width, height }: { width: number; height: number }) {
  for (const set of codec === 'h264' || codec === 'h265' ? parameterSets : []) {
    const size = pictureSize(codec === 'h264' ? 'h264' : 'h265', set)
    if (size) return `${size.width}x${size.height}`
  }
  return width > 0 && height > 0 ? `${width}x${height}` : null
}
