import { VigiaError } from '@vigia/contracts/errors'
import { USUAL_GROUP_MS } from '@vigia/contracts/keyframes'
import { notFound } from '../../../http/caller.ts'
import { lackTexts } from './lack-texts.ts'
import { judgeReload, type PlayedWindow, type PlaylistTiming, writePlaylist } from './playlist.ts'
import type { WindowSegment } from './segment-list.ts'

export interface HlsStream {
  readonly window: PlayedWindow
  readonly timing: PlaylistTiming
}

export interface HlsRequest {
  /** Last segment of the address: `principal.m3u8`, `init-0.mp4`, `s7.mp4`, `p7.2.mp4`. */
  readonly file: string
  readonly msn?: number | undefined
  readonly part?: number | undefined
  /** Aborts when the client has left, or its rights have ended. */
  readonly signal: AbortSignal
}

/** A blocked request ends after this many target durations (RFC 8216bis, 6.2.5.2), of a usual group at most. */
const LONGEST_BLOCK = 3

// Without `no-referrer` a link on a page could pass the token of the address to another site.
const headers = { 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff' }

const asMedia = (...content: readonly Uint8Array[]): Response =>
  new Response(Buffer.concat(content), {
    headers: { ...headers, 'content-type': 'video/mp4', 'cache-control': 'private, max-age=60' },
  })

/**
 * Answers one request of an HLS player. Requests for a playlist or a part in the near future wait until the part
 * arrives.
 * @throws VigiaError `nao_encontrado`: never existed, or has left the window; `indisponivel`: not in time
 */
export async function serveHls(
  { window, timing }: HlsStream,
  { file, signal, ...reload }: HlsRequest,
): Promise<Response> {
  const untilMs = performance.now() + LONGEST_BLOCK * Math.min(timing.target * 1000, USUAL_GROUP_MS)
  const wait = () => nextChange(window, untilMs, signal)
  if (file.endsWith('.m3u8')) {
    while (judgeReload(window, reload) === 'esperar' && !window.ended) await wait()
    if (judgeReload(window, reload) === 'recusar') return badReload()
    const playlist = writePlaylist(window, timing)
    if (playlist === null) throw notDelivered(window)
    const type = 'application/vnd.apple.mpegurl'
    return new Response(playlist, { headers: { ...headers, 'content-type': type, 'cache-control': 'no-store' } })
  }
  const [, kind, first = '', second = ''] = /^(init-|s|p)(\d{1,9})(?:\.(\d{1,5}))?\.mp4$/.exec(file) ?? []
  const number = Number(first)
  if ((kind === 'p') !== (second !== '')) throw notFound(GONE)
  if (kind === 'init-') return asMedia(requireFound(window.segments.find(({ init }) => init.id === number)).init.dados)
  if (kind === 's') return asMedia(...partsOf(requireFound(findSegment(window, number))))
  if (kind !== 'p') throw notFound(GONE)
  const index = Number(second)
  while (isHinted(window, number, index)) await wait()
  const { dados } = requireFound(findSegment(window, number)?.parts[index])
  return asMedia(dados)
}

const GONE = 'Este trecho do vídeo ao vivo não existe mais. Abra a câmera outra vez.'

const findSegment = ({ segments }: PlayedWindow, msn: number) => segments.find((segment) => segment.msn === msn)

function partsOf({ complete, parts }: WindowSegment): Uint8Array[] {
  if (!complete) throw notFound(GONE)
  return parts.map(({ dados }) => dados)
}

function requireFound<T>(found: T | undefined): T {
  if (found === undefined) throw notFound(GONE)
  return found
}

/** Whether the part is the one of EXT-X-PRELOAD-HINT. */
function isHinted({ segments, ended }: PlayedWindow, msn: number, index: number): boolean {
  const last = segments.at(-1)
  if (ended || last === undefined) return false
  return last.complete ? msn === last.msn + 1 && index === 0 : msn === last.msn && index === last.parts.length
}

const badReload = (): Response =>
  Response.json(
    { detail: 'O trecho pedido ainda não existe. Peça a lista sem _HLS_msn e _HLS_part.' },
    { status: 400, headers: { ...headers, 'cache-control': 'no-store' } },
  )

/** Refusal while the edge has sent no part. */
export const notDelivered = ({ lacks }: Pick<PlayedWindow, 'lacks'>) =>
  new VigiaError('indisponivel', {
    detalhe: lacks ? lackTexts[lacks] : 'A caixa não mandou o vídeo desta câmera a tempo. Tente outra vez.',
    tentarEmS: 2,
  })

/**
 * Resolves at the next change of the window.
 * @throws VigiaError `indisponivel` at `untilMs`, or when `signal` aborts
 */
async function nextChange(window: PlayedWindow, untilMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const stop = () => resolve(false)
  const timer = setTimeout(stop, Math.max(0, untilMs - performance.now()))
  const leave = window.subscribe(() => resolve(true))
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const isChanged = await promise
  clearTimeout(timer)
  leave()
  signal.removeEventListener('abort', stop)
  if (!isChanged) throw notDelivered(window)
}
