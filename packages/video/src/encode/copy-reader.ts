import type { Mask } from '../mask.ts'
import type { Packager } from '../mp4/packager.ts'
import { ownCopy } from '../nal-units.ts'
import type { RingGop } from '../readers/ring.ts'
import { type CodedUnit, createSmallCopy, type SmallCopy } from './small-copy.ts'

/** More waiting pictures mean a machine that is too slow: the copy continues at the next keyframe. */
const MOST_WAITING = 50
/** The same while the pictures of a group under way are decoded. */
const MOST_WAITING_REPLAY = 300

export interface CopyReader extends Packager {
  /** Begins with the newest picture of this group, which the next packet continues. */
  replay(group: RingGop): void
}

/**
 * Gives `target` a small copy of the stream, covered by `mask`. The connection never waits for it.
 * @param onFault called once; no further pictures follow. NoEncoderError: this FFmpeg has no encoder.
 */
export function createCopyReader(target: Packager, mask: Mask, onFault: (error: unknown) => void): CopyReader {
  let copy: SmallCopy | null = null
  let waiting = 0
  let mostWaiting = MOST_WAITING
  let following = false
  let isBroken = false
  let last: Promise<void> = Promise.resolve()

  const next = (work: () => Promise<void> | void) => {
    last = last.then(async () => {
      try {
        if (!isBroken) await work()
      } catch (error) {
        isBroken = true
        onFault(error)
      }
    })
  }

  const restart = () => {
    copy?.close()
    copy = null
  }

  const pass = async (unit: CodedUnit) => {
    copy ??= createSmallCopy(mask)
    for (const made of await copy.add(unit)) target.packet({ ...made, data: () => made.data })
  }

  const passLive = async (unit: CodedUnit) => {
    waiting--
    if (waiting === 0) mostWaiting = MOST_WAITING
    await pass(unit)
  }

  return {
    opened(session) {
      following = false
      next(() => {
        restart()
        return target.opened?.(session)
      })
    },
    packet({ keyframe, timeMs, parameters, data }) {
      following = waiting < mostWaiting && (following || keyframe)
      if (!following) target.skipped?.()
      if (!following || isBroken) return
      waiting++
      const unit = { keyframe, timeMs, parameters, data: ownCopy(data()) }
      next(() => passLive(unit))
    },
    replay({ parameters, packets }) {
      const newest = packets.at(-1)
      if (!newest) return
      following = true
      mostWaiting = MOST_WAITING_REPLAY
      next(() => {
        copy = createSmallCopy(mask, newest.timeMs)
      })
      for (const { keyframe, timeMs, data } of packets) next(() => pass({ keyframe, timeMs, parameters, data }))
    },
    skipped: () => target.skipped?.(),
    async closed() {
      next(() => target.closed?.())
      await last
      restart()
    },
  }
}
