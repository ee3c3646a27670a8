import type { MotivoSemClipe } from '@vigia/contracts/extras'
import { isDiskFull } from '@vigia/runtime/disk-failure'
import type { SeenClip } from '../capture/model.ts'
import { uuidV7 } from '../db/uuid-v7.ts'
import type { PlacedClip } from './clip-store.ts'
import type { ClipKeeper, ClipKeeperOptions } from './keeping.ts'

/** The clips on the disk, within their quota. Its changes must follow one another. */
export interface KeptClips {
  /** Gives events a reason for which they have no clip. */
  settle(events: readonly string[], reason: MotivoSemClipe): void
  /** `reason`: null if the cloud needs none. */
  drop(id: string, reason: MotivoSemClipe | null): Promise<void>
  /** Drops the oldest clips that are not wanted. false: there is still too little space. */
  freeSpace(bytes: number): Promise<boolean>
  keep(seen: SeenClip, events: readonly { readonly event: string; readonly offsetMs: number }[]): Promise<void>
  readonly adopt: ClipKeeper['adopt']
  readonly hasSpace: ClipKeeper['hasSpace']
  /** Ids of the clips that are too old. */
  expired(): readonly string[]
}

interface KeptClipsOptions
  extends Pick<ClipKeeperOptions, 'store' | 'files' | 'notices' | 'quota' | 'log' | 'onChanged' | 'time'> {
  /** Edge clock, in epoch ms. */
  now(): number
  /** Monotonic ms. */
  monotonic(): number
}

/** Clips that nobody requests are kept this long. */
const KEEP_MS = 48 * 60 * 60_000
/** At most this many expire at once whatever their share. */
const USUAL_CLIPS = 20

export function createKeptClips(options: KeptClipsOptions): KeptClips {
  const { store, files, notices, quota, log, onChanged, time, now } = options
  const ages = createClipAges(options)

  const settle = (events: readonly string[], reason: MotivoSemClipe) => {
    if (events.length === 0) return
    store.settle(events, (event) => notices.missing(event, reason))
    onChanged()
  }

  /** `reason`: null if the cloud needs none. */
  const drop = async (id: string, reason: MotivoSemClipe | null) => {
    store.remove(id, (events) => {
      notices.removed(id)
      if (reason !== null) for (const event of events) notices.missing(event, reason)
    })
    ages.forget(id)
    await files.remove(id)
    onChanged()
  }

  const isShort = (bytes: number): boolean => {
    const free = quota.freeBytes()
    return store.bytes() + bytes > quota.maxBytes || (free !== null && free - bytes < quota.reserveBytes)
  }

  /** Drops the oldest clips that are not wanted. false: there is still too little space. */
  const freeSpace = async (bytes: number): Promise<boolean> => {
    while (isShort(bytes)) {
      const oldest = store.cheapest()
      if (oldest === null) return false
      await drop(oldest.id, 'disco_cheio')
    }
    return true
  }

  /** An unfinished file is on the disk already. */
  const hasSpace = (bytes: number): boolean => {
    const free = quota.freeBytes()
    return store.bytes() + bytes <= quota.maxBytes && (free === null || free >= quota.reserveBytes)
  }

  return {
    settle,
    drop,
    freeSpace,
    hasSpace,
    expired: ages.expired,
    async keep(seen, events) {
      const { cameraId, startedAt, data, sha256 } = seen
      const ids = events.map(({ event }) => event)
      if (!(await freeSpace(data.length))) return settle(ids, 'disco_cheio')
      const { at, stamp } = time.place(startedAt)
      const clip: PlacedClip = { id: uuidV7(now()), cameraId, startedAt: at, bytes: data.length, sha256, stamp }
      try {
        await files.write(clip.id, data)
      } catch (error) {
        log.error({ err: error, camera: cameraId }, 'a clip cannot be written to the disk')
        return settle(ids, isDiskFull(error) ? 'disco_cheio' : 'disco_indisponivel')
      }
      const stored = store.keep(clip, ids, (assigned) => {
        const kept = events.filter(({ event }) => assigned.includes(event))
        notices.kept(clip, seen, kept)
      })
      // The quota of the outbox has dropped the events.
      if (!stored) return await files.remove(clip.id)
      ages.begin(clip.id)
      onChanged()
    },
    async adopt(clip) {
      if (!hasSpace(clip.bytes)) return 'disco_cheio'
      try {
        await files.complete(clip.id)
      } catch (error) {
        log.error({ err: error, clipe: clip.id }, 'a recording cannot be kept on the disk')
        return isDiskFull(error) ? 'disco_cheio' : 'disco_indisponivel'
      }
      // Its times come from the recorder or are corrected; the stamp is that of the time at which it is kept.
      store.keepAlone({ ...clip, stamp: time.place(now()).stamp })
      ages.begin(clip.id)
      return null
    },
  }
}

/** The time for which each clip has been kept. */
function createClipAges(options: Pick<KeptClipsOptions, 'store' | 'log' | 'now' | 'monotonic' | 'time'>) {
  const { store, log, now, monotonic, time } = options
  /** Clips of this run, with the monotonic time: the wall clock that stamped them may have been set back. */
  const keptAt = new Map<string, number>()
  /** Begin of a mass expiry that waits (monotonic ms); null: none. */
  let waitingSince: number | null = null

  return {
    begin: (id: string) => keptAt.set(id, monotonic()),
    forget: (id: string) => keptAt.delete(id),
    /**
     * Clips that are too old. Most of them look old at once when the clock is wrong. They go after the same time of
     * running, or when the quota needs their space. None is too old while the time is not known.
     */
    expired(): readonly string[] {
      if (time.state === 'desconhecida') return []
      const isYoung = (id: string) => monotonic() - (keptAt.get(id) ?? Number.NEGATIVE_INFINITY) < KEEP_MS
      const due = store.expired(time.place(now()).at - KEEP_MS).filter((id) => !isYoung(id))
      if (due.length <= USUAL_CLIPS || due.length * 2 <= store.ids().length) {
        waitingSince = null
        return due
      }
      if (waitingSince === null) log.warn({ clips: due.length }, 'most clips look too old: kept for now')
      waitingSince ??= monotonic()
      return monotonic() - waitingSince < KEEP_MS ? [] : due
    },
  }
}
