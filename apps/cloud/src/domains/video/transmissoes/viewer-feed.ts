import type { ParteTransmissao } from '@vigia/contracts/transmissao'
import { lackTexts } from './lack-texts.ts'
import { hasLongGroup, type WindowInit, type WindowPart, type WindowSegment } from './segment-list.ts'
import type { Lack, StreamWindow } from './stream-window.ts'

/** Why a feed ended: the edge ended the stream, the viewer left, or the viewer reads too slowly. */
export type FeedEnd = 'fim' | 'saiu' | 'lento'

export interface FeedLimits {
  /** A viewer further behind continues at the next keyframe. */
  readonly maxBehindMs?: number
  readonly maxBehindBytes?: number
  /** Skips in a row, without having caught up in between, after which the feed ends. */
  readonly maxSkips?: number
}

/** Messages of one kind of reader. */
interface FeedFormat<Message> {
  /** Parts are missing, and a keyframe follows. */
  readonly skip: Message
  /** Describes the parts that follow. */
  init(init: WindowInit): readonly Message[]
  part(part: ParteTransmissao): Message
  /** No part can follow before a keyframe. */
  waits(lack: Lack): readonly Message[]
  /** The segment before the newest one is sent too, if it belongs to the same epoch. */
  readonly withSegmentBefore?: boolean
}

interface Position {
  readonly msn: number
  readonly index: number
}

const TICKS_PER_MS = 90

/**
 * Messages of one viewer over a WebSocket. A text describes the init segment that follows it as bytes, then come the
 * parts from the beginning of the newest segment. `{"tipo":"salto"}`: parts were left out, and a keyframe follows.
 * `{"tipo":"espera"}`: no part can follow before a keyframe.
 * @param partMs part length of the stream, which may be known only with its first part
 */
export const viewerFeed = (
  window: StreamWindow,
  signal: AbortSignal,
  limits: FeedLimits = {},
  partMs: () => number | undefined = () => undefined,
): AsyncGenerator<string | Uint8Array, FeedEnd, void> =>
  windowFeed<string | Uint8Array>(window, signal, limits, {
    skip: JSON.stringify({ tipo: 'salto' }),
    init({ descricao: { codecs, largura, altura }, dados }) {
      return [JSON.stringify({ tipo: 'inicio', codecs, largura, altura, parte_ms: partMs() }), dados]
    },
    part: ({ dados }) => dados,
    waits: (lack) => [JSON.stringify({ tipo: 'espera', detail: lackTexts[lack] })],
  })

/**
 * Messages of one reader of a window, produced as fast as it reads them. Nothing is queued: a slow reader skips to a
 * keyframe.
 */
export async function* windowFeed<Message>(
  window: StreamWindow,
  signal: AbortSignal,
  { maxBehindMs = 2_000, maxBehindBytes = 2 * 1024 * 1024, maxSkips = 5 }: FeedLimits,
  format: FeedFormat<Message>,
): AsyncGenerator<Message, FeedEnd, void> {
  const newest = () => window.segments.at(-1)?.msn ?? 0
  const before = format.withSegmentBefore ? 1 : 0
  let next: Position = { msn: Math.max(window.firstMsn, newest() - before, 0), index: 0 }
  let init: WindowInit | null = null
  let hasCaughtUp = false
  let skips = 0
  let saidWaiting = false
  while (!signal.aborted) {
    const first = firstFrom(window, next)
    if (!first) {
      if (window.ended) return 'fim'
      hasCaughtUp = true
      // A viewer that waits for the keyframe of a skip has read nothing since.
      if (next.index > 0) skips = 0
      if (window.lacks !== null && !saidWaiting) {
        saidWaiting = true
        yield* format.waits(window.lacks)
      } else await nextChange(window, signal)
      continue
    }
    saidWaiting = false
    // The first segment of a viewer may be longer than the limit.
    const isBehind = hasCaughtUp
      ? (behindMs(window, first) > maxBehindMs || behindBytes(window, first) > maxBehindBytes) && maySkip(window, first)
      : first.segment.msn < newest() - before
    if (isBehind || !continues(window, next, first.position)) {
      if (++skips > maxSkips) return 'lento'
      const msn = newest()
      // The newest segment is sent from its keyframe, unless the viewer has read a part of it.
      next = { msn: msn === next.msn && next.index > 0 ? msn + 1 : msn, index: 0 }
      hasCaughtUp = false
      yield format.skip
      continue
    }
    if (first.segment.init !== init) {
      init = first.segment.init
      yield* format.init(init)
    }
    next = { msn: first.position.msn, index: first.position.index + 1 }
    yield format.part(first.part)
  }
  return 'saiu'
}

interface PendingPart {
  readonly segment: WindowSegment
  readonly part: WindowPart
  readonly position: Position
}

/** The first part from `next` on. A position behind the end of a complete segment means the next segment. */
function firstFrom({ segments }: StreamWindow, { msn, index }: Position): PendingPart | null {
  const oldest = segments[0]?.msn ?? 0
  for (let at = Math.max(0, msn - oldest); at < segments.length; at++) {
    const segment = segments[at]
    const from = segment?.msn === msn ? index : 0
    const part = segment?.parts[from]
    if (segment && part) return { segment, part, position: { msn: segment.msn, index: from } }
  }
  return null
}

/** Whether no part is missing before `found`, the first part of the window from `next` on. */
const continues = ({ segments }: StreamWindow, next: Position, found: Position): boolean =>
  found.msn === next.msn || (found.msn === next.msn + 1 && segments.some(({ msn }) => msn === next.msn))

const behindMs = ({ ticks }: StreamWindow, { part }: PendingPart): number => (ticks - part.ticksBefore) / TICKS_PER_MS

const behindBytes = ({ bytes }: StreamWindow, { part }: PendingPart): number => bytes - part.bytesBefore

/** In a long group the next keyframe is far away: a viewer of it has newer pictures sooner by reading on. */
const maySkip = ({ segments }: StreamWindow, { segment }: PendingPart): boolean =>
  segment.msn !== segments.at(-1)?.msn || !hasLongGroup(segments)

/** Resolves at the next change of the window, or when `signal` aborts. */
async function nextChange(window: StreamWindow, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = () => resolve()
  const leave = window.subscribe(wake)
  signal.addEventListener('abort', wake)
  if (signal.aborted) wake()
  await promise
  leave()
  signal.removeEventListener('abort', wake)
}
