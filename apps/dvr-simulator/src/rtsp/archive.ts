import type { PlaybackRequest } from '@vigia/rtsp/playback-urls'
import type { ListSettings } from '../archive-http/settings.ts'
import type { RecordedSpan } from '../rtp/recorded-units.ts'

/** The recordings of a recorder, and how it names times. */
export interface ArchiveSettings {
  /** In order, epoch ms of the true time. */
  readonly trechos: readonly RecordedSpan[]
  /** Zone of the recorder, minutes east of UTC. Default 0. */
  readonly fusoMin?: number
  /** Its clock minus the true time, in s. Default 0. */
  readonly relogioS?: number
  /**
   * Meaning of `Z` in a Hikvision address: UTC, or the wall clock. Reports contradict each other (LaView's manual, and
   * several clients), so both exist. Default `utc`.
   */
  readonly z?: 'utc' | 'local'
  /** Sessions at the same time; further ones get 453 (webrtc-streamer #174, HikLoad #4). Default 1. */
  readonly sessoes?: number
  /** Its list over HTTP. Absent: none. */
  readonly lista?: ListSettings | undefined
}

/** The part of the archive that an address names, epoch ms of the true time. */
export interface ReplayPart {
  readonly fromMs: number
  /** null: without an end, or the recorder ignores it. */
  readonly toMs: number | null
  /** Its times come with PLAY, and its packets have times. */
  readonly isOnvif: boolean
}

/** Counters for the tests of clients. */
export interface ArchiveCounts {
  readonly reproducoes_max: number
  /** Requests that got 453. */
  readonly reproducoes_recusadas: number
}

export interface Archive {
  readonly spans: readonly RecordedSpan[]
  /** Clock of the recorder minus the true time, ms. */
  readonly offsetMs: number
  /** Whether the archive has pictures of this part. */
  holds(part: ReplayPart): boolean
  partOf(request: PlaybackRequest): ReplayPart
  /** Whether one more session may begin; a refusal is counted. */
  acceptsSession(): boolean
  /** Counts a session; returns the function to call at its end. */
  enter(): () => void
  readonly counts: ArchiveCounts
}

export function createArchive(settings: ArchiveSettings): Archive {
  const { trechos, fusoMin = 0, relogioS = 0, z = 'utc', sessoes = 1 } = settings
  const offsetMs = relogioS * 1000
  let [open, most, refused] = [0, 0, 0]
  return {
    spans: trechos,
    offsetMs,
    holds: ({ fromMs, toMs }) => trechos.some(({ inicio, fim }) => fim > fromMs && (toMs === null || inicio < toMs)),
    partOf({ form, fromMs, toMs }) {
      // Dahua names the wall clock, without a zone.
      const isWall = form === 'dahua' || z === 'local'
      const trueTime = (ms: number) => ms - offsetMs - (isWall ? fusoMin * 60_000 : 0)
      // Hikvision recorders play on behind `endtime` (CamioCam/rtsp #181).
      const hasEnd = form === 'dahua' && toMs !== null
      return { fromMs: trueTime(fromMs), toMs: hasEnd ? trueTime(toMs) : null, isOnvif: false }
    },
    acceptsSession() {
      const isFree = open < sessoes
      if (!isFree) refused++
      return isFree
    },
    enter() {
      most = Math.max(most, ++open)
      let left = false
      return () => {
        if (!left) open--
        left = true
      }
    },
    get counts() {
      return { reproducoes_max: most, reproducoes_recusadas: refused }
    },
  }
}
