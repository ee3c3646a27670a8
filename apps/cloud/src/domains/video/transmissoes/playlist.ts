import { LONGEST_GROUP_MS } from '@vigia/contracts/keyframes'
import { hasLongGroup, type WindowPart, type WindowSegment } from './segment-list.ts'
import type { StreamWindow } from './stream-window.ts'

/** Values that must not change during a playlist (RFC 8216bis, 4.4.3.1 and 4.4.3.7), in seconds. */
export interface PlaylistTiming {
  readonly target: number
  readonly part: number
}

const MIN_TARGET_S = 2
/** Pictures of a recorder are not exactly equidistant. A part must not be longer than PART-TARGET. */
const JITTER = 1.05
const TICKS_PER_S = 90_000

/** Whether the keyframe interval is known: from the header of the edge, or from a whole group. */
export const isIntervalKnown = (segments: readonly WindowSegment[]): boolean =>
  segments.some(({ init, complete }) => complete || init.descricao.gop_ms !== null)

/**
 * Timing of a playlist that begins with these segments. The length of a long group varies with the scene, so that its
 * target is the longest one. The same holds while the interval is unknown.
 * @param partMs duration in the request to the edge; its parts are whole pictures
 */
export function playlistTiming(segments: readonly [WindowSegment, ...WindowSegment[]], partMs: number): PlaylistTiming {
  const { fps, gop_ms } = segments[0].init.descricao
  const isLong = hasLongGroup(segments) || !isIntervalKnown(segments)
  const leastS = isLong ? LONGEST_GROUP_MS / 1000 : Math.max(MIN_TARGET_S, Math.ceil((gop_ms ?? 0) / 1000))
  const target = Math.max(leastS, ...segments.map(roundedS))
  const part = fps === null ? partMs / 1000 : Math.max(1, Math.round((partMs * fps) / 1000)) / fps
  return { target, part: Math.ceil(part * JITTER * 1000) / 1000 }
}

/** Number of the first segment that is longer than `target` when rounded (RFC 8216, 4.3.3.1); null: none. */
export const firstTooLong = (segments: readonly WindowSegment[], target: number): number | null =>
  segments.find((segment) => roundedS(segment) > target)?.msn ?? null

/** The part of a window that a player reads. */
export type PlayedWindow = Pick<StreamWindow, 'segments' | 'removedDiscontinuities' | 'ended' | 'lacks' | 'subscribe'>

/** `window` for a playlist that ends with what `target` allows of the segment `endMsn()`; null: it runs. */
export const playedWindow = (window: StreamWindow, target: number, endMsn: () => number | null): PlayedWindow => ({
  get segments() {
    const end = endMsn()
    if (end === null) return window.segments
    const listed = window.segments.filter(({ msn }) => msn <= end)
    return listed.map((segment) => (segment.msn === end ? cutTo(segment, target) : segment))
  },
  get removedDiscontinuities() {
    return window.removedDiscontinuities
  },
  get ended() {
    return window.ended || endMsn() !== null
  },
  get lacks() {
    return window.lacks
  },
  subscribe: window.subscribe,
})

function cutTo(segment: WindowSegment, target: number): WindowSegment {
  const beforeFirst = segment.parts[0]?.ticksBefore ?? 0
  const fits = ({ ticksBefore, duracao }: WindowPart) =>
    Math.round((ticksBefore + duracao - beforeFirst) / TICKS_PER_S) <= target
  return { ...segment, parts: segment.parts.filter(fits), complete: true }
}

const roundedS = (segment: WindowSegment): number => Math.round(durationOf(segment) / TICKS_PER_S)

const seconds = (ticks: number): string => (ticks / TICKS_PER_S).toFixed(5)

/** Ticks so far, from the sums of its first and its last part. */
function durationOf({ parts }: WindowSegment): number {
  const [first, last] = [parts[0], parts.at(-1)]
  return first && last ? last.ticksBefore + last.duracao - first.ticksBefore : 0
}

/** Segments with parts in the list: a player that starts reads at most three target durations. */
const SEGMENTS_WITH_PARTS = 4
/** A long segment has up to MOST_PARTS parts, and a player reads the list for each of them. */
const LONG_SEGMENTS_WITH_PARTS = 1

/** Writes the media playlist. Addresses are relative. null: the window has no segment. */
export function writePlaylist(window: PlayedWindow, { target, part }: PlaylistTiming): string | null {
  const { segments, removedDiscontinuities, ended } = window
  const [first] = segments
  if (!first) return null
  const head = [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${(part * 3).toFixed(3)}`,
    `#EXT-X-PART-INF:PART-TARGET=${part.toFixed(3)}`,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MEDIA-SEQUENCE:${first.msn}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${removedDiscontinuities}`,
  ]
  const withParts = hasLongGroup(segments) ? LONG_SEGMENTS_WITH_PARTS : SEGMENTS_WITH_PARTS
  const body = segments.flatMap((segment, index) =>
    segmentLines(segment, segments[index - 1], index >= segments.length - withParts),
  )
  return [...head, ...body, ended ? '#EXT-X-ENDLIST' : preloadHint(segments), ''].join('\n')
}

function segmentLines(segment: WindowSegment, before: WindowSegment | undefined, withParts: boolean): string[] {
  const { msn, init, discontinuity, parts, complete } = segment
  const instante = parts[0]?.instante ?? 0
  return [
    ...(discontinuity ? ['#EXT-X-DISCONTINUITY'] : []),
    ...(before?.init === init ? [] : [`#EXT-X-MAP:URI="init-${init.id}.mp4"`]),
    `#EXT-X-PROGRAM-DATE-TIME:${new Date(instante).toISOString()}`,
    ...(withParts ? parts : []).map(
      ({ duracao, chave }, index) =>
        `#EXT-X-PART:DURATION=${seconds(duracao)},URI="p${msn}.${index}.mp4"${chave ? ',INDEPENDENT=YES' : ''}`,
    ),
    ...(complete ? [`#EXTINF:${seconds(durationOf(segment))},`, `s${msn}.mp4`] : []),
  ]
}

function preloadHint(segments: readonly WindowSegment[]): string {
  const last = segments.at(-1)
  const next = last && !last.complete ? `p${last.msn}.${last.parts.length}` : `p${(last?.msn ?? -1) + 1}.0`
  return `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${next}.mp4"`
}

/**
 * Decides a blocking reload (RFC 8216bis, 6.2.5.2). `agora`: the playlist holds the part. `esperar`: the part is next.
 * `recusar`: too far in the future, or a part without a segment.
 */
export function judgeReload(
  { segments }: Pick<StreamWindow, 'segments'>,
  { msn, part }: { readonly msn?: number | undefined; readonly part?: number | undefined },
): 'agora' | 'esperar' | 'recusar' {
  if (msn === undefined) return part === undefined ? 'agora' : 'recusar'
  const last = segments.at(-1)
  if (msn > (last?.msn ?? -1) + 2) return 'recusar'
  if (last === undefined || msn > last.msn) return 'esperar'
  if (msn < last.msn) return 'agora'
  // A part behind the last one of a segment means the first part of the next segment.
  const holds = part === undefined ? last.complete : part < last.parts.length
  return holds ? 'agora' : 'esperar'
}
