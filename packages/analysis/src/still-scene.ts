import type { Detection } from '@vigia/ias/detection'
import { type Box, iou } from '@vigia/ias/geometry'
import type { Motion } from '@vigia/vision/motion'
import type { Track } from '@vigia/vision/track-state'

/** Interval between inferences with tracks just after the last motion: people stop, and may still turn. */
const SOON_MS = 500
/** Without motion for this time the scene is still. */
const STILL_AFTER_MS = 10_000
/** Interval between the frames of a still scene with tracks: a stay must end in time, and a cooldown too. */
const REPEAT_MS = 2_000
/** Longest time between two inferences: objects may come too slowly for the motion gate. */
const LONGEST_MS = 60_000
/** Inferences with a detection after which a track is no flicker of the detector. */
const SURE_INFERENCES = 5
/** Inferences of a still scene in a row to learn whether a new detection is a flicker. */
const TRIES = 4
/** An object that came and then lies still may be undetected for this long: nothing moved where it is. */
const UNSEEN_MS = 900_000
/** Overlap (intersection over union) from which a detection is the same flicker again. */
const SAME_PLACE = 0.4

const MOST_THINGS = 32

/** A track in the inferences of its life. */
interface Life {
  inferences: number
  /** Motion was in its box once: it came here. */
  moved: boolean
  /** Not detected while something moved in the scene: it may have gone. */
  lost: boolean
  last: Detection
  seenMs: number
}

/**
 * Saves inferences on a scene in which nothing moves. There the objects are where the last inference found them, and
 * the next frames repeat them without an inference. Any motion ends this at once, and a minute does.
 *
 * A track that came and lies still continues while nothing moves in its box, even where the detector loses it. A track
 * that never moved is a thing as soon as its detections end. It is not repeated, and its next flicker causes no further
 * inferences.
 */
export interface StillScene {
  /** Called for every frame, in order. */
  watch(motion: Motion, streamMs: number): void
  /** Whether this frame needs an inference or a repetition. */
  isDue(tracks: readonly Track[], streamMs: number): boolean
  /** Detections that replace an inference in this frame; null: an inference is necessary. */
  repeated(tracks: readonly Track[], streamMs: number): Detection[] | null
  /** Called after each inference, with the tracks and the motion of its frame. */
  inferred(tracks: readonly Track[], motion: Motion, streamMs: number): void
}

export function createStillScene(): StillScene {
  const lives = new Map<number, Life>()
  let things: Box[] = []
  /** null before the first frame, which counts as motion. */
  let movedMs: number | null = null
  let inferredMs = Number.NEGATIVE_INFINITY
  let ranMs = Number.NEGATIVE_INFINITY
  let tries = TRIES
  let isMoving = false

  const isStill = (streamMs: number) => movedMs !== null && streamMs - movedMs >= STILL_AFTER_MS
  const isSure = ({ id }: Track) => (lives.get(id)?.inferences ?? 0) >= SURE_INFERENCES
  const isThing = ({ box }: Track) => things.some((thing) => iou(thing, box) >= SAME_PLACE)
  const isDoubtful = (track: Track) => !track.predicted && !isSure(track) && !isThing(track)
  const needsInference = (tracks: readonly Track[], streamMs: number) =>
    !isStill(streamMs) || streamMs - inferredMs >= LONGEST_MS || (tries > 0 && tracks.some(isDoubtful))

  return {
    watch(motion, streamMs) {
      isMoving = motion.active
      movedMs ??= streamMs
      if (!isMoving) return
      movedMs = streamMs
      tries = TRIES
      things = motion.global ? [] : things.filter((thing) => motion.overlap(thing) === 0)
    },

    isDue(tracks, streamMs) {
      const sinceMs = streamMs - ranMs
      if (isMoving) return true
      if (needsInference(tracks, streamMs)) return sinceMs >= (tracks.length > 0 ? SOON_MS : STILL_AFTER_MS)
      return tracks.length > 0 && sinceMs >= REPEAT_MS
    },

    repeated(tracks, streamMs) {
      if (isMoving || needsInference(tracks, streamMs)) return null
      ranMs = streamMs
      return tracks.flatMap((track) => {
        const life = lives.get(track.id)
        if (!life || !isSure(track)) return []
        const isHere = life.moved && !life.lost && streamMs - life.seenMs < UNSEEN_MS
        return !track.predicted || isHere ? [life.last] : []
      })
    },

    inferred(tracks, motion, streamMs) {
      const still = isStill(streamMs)
      if (still) {
        tries = streamMs - inferredMs >= LONGEST_MS ? TRIES : tries - 1
        if (tries <= 0) things = [...things, ...tracks.filter(isDoubtful).map(({ box }) => box)].slice(-MOST_THINGS)
      }
      ranMs = streamMs
      inferredMs = streamMs
      const known = new Set(tracks.map(({ id }) => id))
      for (const id of lives.keys()) if (!known.has(id)) lives.delete(id)
      for (const track of tracks) {
        const { rotulo, confianca, box, predicted, id } = track
        const last: Detection = { rotulo, confianca, ...box }
        const life = lives.get(id) ?? { inferences: 0, moved: false, lost: false, last, seenMs: streamMs }
        lives.set(id, life)
        if (motion.overlap(box) > 0) life.moved = true
        if (predicted) {
          if (!still) life.lost = true
          if (still && isSure(track) && !life.moved) things = [...things, life.last].slice(-MOST_THINGS)
          continue
        }
        life.inferences++
        life.lost = false
        life.last = last
        life.seenMs = streamMs
      }
    },
  }
}
