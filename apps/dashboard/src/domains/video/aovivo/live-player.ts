import { type MensagemAoVivo, mensagemAoVivoSchema } from '@vigia/contracts/ao-vivo'
import { keyframeTime } from './chunk-keyframe.ts'
import { type BufferedRange, playbackOf } from './live-playback.ts'

type End = Extract<MensagemAoVivo, { tipo: 'fim' }>

export interface LivePlayerCallbacks {
  /** The first picture, and pictures after a pause of the stream. */
  onPlaying(): void
  /** No picture arrives, although the connection is open. */
  onStalled(): void
  /** Which stream is shown, and why it is not the requested one. */
  onStream(stream: Extract<MensagemAoVivo, { tipo: 'fluxo' }>): void
  /** No picture can follow before a keyframe, for this reason. */
  onWaiting(detail: string): void
  onSize(width: number, height: number): void
  /** Whether the stream has audio. */
  onAudio(hasAudio: boolean): void
  /** The connection has ended; `null`: without a reason. */
  onEnd(end: Pick<End, 'motivo' | 'detail'> | null): void
  /** The browser cannot decode this stream. */
  onUnsupported(): void
}

/** Distance from the newest picture, in part lengths. A part of a slow camera is one picture longer. */
const TARGET_PARTS = 1.2
const USUAL_PART_MS = 250
/** Three parts and two seconds without data. */
const STALL_MS = 2_750
const CHECK_MS = 250

/** iPhones have the managed form only. */
const mediaSourceClass = (): typeof MediaSource | undefined =>
  (globalThis as { ManagedMediaSource?: typeof MediaSource }).ManagedMediaSource ?? globalThis.MediaSource

/** Whether this browser can play live video in any codec. */
export const canPlayLive = (): boolean => mediaSourceClass() !== undefined && typeof WebSocket === 'function'

/**
 * Plays live video from a WebSocket (docs/live.md) in a video element. It stays close to the newest picture. Returns a
 * function that ends it and frees its memory.
 */
export function startLivePlayer(video: HTMLVideoElement, address: string, callbacks: LivePlayerCallbacks): () => void {
  const socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  let codecs: string | null = null
  let target = (TARGET_PARTS * USUAL_PART_MS) / 1000
  let track: Track | null = null
  let ended = false
  let end: End | null = null
  let dataAt = performance.now()
  let isPlaying = false

  const stop = () => {
    if (ended) return
    ended = true
    clearInterval(timer)
    // Browsers report the end of a connection that is not open yet as an error.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
    else socket.close()
    track?.close()
  }
  const finish = (report: () => void) => {
    if (ended) return
    stop()
    report()
  }

  function begin(header: ArrayBuffer): void {
    const Source = mediaSourceClass()
    const type = `video/mp4; codecs="${codecs}"`
    if (!Source?.isTypeSupported(type)) {
      finish(callbacks.onUnsupported)
      return
    }
    track?.close()
    track = openTrack(video, new Source(), { type, target }, () => finish(() => callbacks.onEnd(null)))
    track.append(header)
  }

  function read(message: MensagemAoVivo): void {
    if (message.tipo === 'fluxo') callbacks.onStream(message)
    if (message.tipo === 'espera') callbacks.onWaiting(message.detail)
    if (message.tipo === 'fim') end = message
    if (message.tipo !== 'inicio') return
    codecs = message.codecs
    target = (TARGET_PARTS * (message.parte_ms ?? USUAL_PART_MS)) / 1000
    callbacks.onSize(message.largura, message.altura)
    callbacks.onAudio(message.codecs.includes('mp4a'))
  }

  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (ended) return
    if (typeof data === 'string') {
      const message = mensagemAoVivoSchema.safeParse(JSON.parse(data))
      // A newer server may send further texts.
      if (message.success) read(message.data)
      return
    }
    dataAt = performance.now()
    if (codecs !== null) {
      begin(data)
      codecs = null
    } else track?.append(data)
  }
  socket.onclose = () => finish(() => callbacks.onEnd(end))

  const timer = setInterval(() => {
    const isLate = performance.now() - dataAt > STALL_MS
    track?.adjust()
    const plays = !isLate && video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA && track !== null
    if (plays && !isPlaying) callbacks.onPlaying()
    if (isLate && isPlaying) callbacks.onStalled()
    if (plays || isLate) isPlaying = plays
  }, CHECK_MS)
  return stop
}

interface Track {
  append(bytes: ArrayBuffer): void
  adjust(): void
  close(): void
}

/** One source buffer behind the video element. */
function openTrack(
  video: HTMLVideoElement,
  media: MediaSource,
  { type, target }: { readonly type: string; readonly target: number },
  onBroken: () => void,
): Track {
  const url = URL.createObjectURL(media)
  let queue: ArrayBuffer[] = []
  let buffer: SourceBuffer | null = null
  let isClosed = false
  let keyframes: number[] = []

  const ranges = (): BufferedRange[] => {
    const { buffered } = buffer ?? { buffered: null }
    return Array.from({ length: buffered?.length ?? 0 }, (_, i) => ({
      start: buffered?.start(i) ?? 0,
      end: buffered?.end(i) ?? 0,
    }))
  }

  function flush(): void {
    if (isClosed || !buffer || buffer.updating || queue.length === 0 || media.readyState !== 'open') return
    const parts = queue
    queue = []
    try {
      buffer.appendBuffer(joined(parts))
    } catch (error) {
      console.warn('vigia: vídeo ao vivo interrompido', error)
      onBroken()
    }
  }

  function adjust(): void {
    if (isClosed || !buffer || buffer.updating || media.readyState !== 'open') return
    const found = ranges()
    keyframes = keyframes.filter((at) => at >= (found[0]?.start ?? 0))
    const { rate, seekTo, removeBefore } = playbackOf({
      ranges: found,
      position: video.currentTime,
      target,
      keyframes,
    })
    // Another jump would begin the decoding of a long group anew.
    if (seekTo !== null && !video.seeking) video.currentTime = seekTo
    if (video.playbackRate !== rate) video.playbackRate = rate
    // Rejects when the element is removed, or when the browser wants a click first: then the controls start it.
    if (video.paused && ranges().length > 0) video.play().catch(() => {})
    if (removeBefore !== null && removeBefore < video.currentTime) buffer.remove(0, removeBefore)
  }

  // Required by the managed form: otherwise it stays closed.
  video.disableRemotePlayback = true
  video.src = url
  media.addEventListener(
    'sourceopen',
    () => {
      URL.revokeObjectURL(url)
      if (isClosed) return
      buffer = media.addSourceBuffer(type)
      buffer.addEventListener('updateend', () => {
        adjust()
        flush()
      })
      flush()
    },
    { once: true },
  )
  const failed = () => {
    if (!isClosed) onBroken()
  }
  video.addEventListener('error', failed)
  return {
    append(bytes) {
      const key = keyframeTime(bytes)
      if (key !== null) keyframes.push(key)
      queue.push(bytes)
      flush()
    },
    adjust,
    close() {
      if (isClosed) return
      isClosed = true
      queue = []
      video.removeEventListener('error', failed)
      video.removeAttribute('src')
      video.load()
    },
  }
}

function joined(parts: readonly ArrayBuffer[]): ArrayBuffer {
  const [only] = parts
  if (parts.length === 1 && only) return only
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const part of parts) {
    whole.set(new Uint8Array(part), at)
    at += part.byteLength
  }
  return whole.buffer
}
