import type { Mask } from '../mask.ts'
import type { Packager, PackagerPacket } from '../mp4/packager.ts'
import { ownCopy } from '../nal-units.ts'
import { createSmallCopy, type SmallCopy } from './small-copy.ts'

/** More waiting pictures mean a machine that is too slow: the copy continues at the next keyframe. */
const MOST_WAITING = 50

/**
 * Gives `target` a small copy of the stream, covered by `mask`. The connection never waits for it.
 * @param onFault called once; no further pictures follow. NoEncoderError: this FFmpeg has no encoder.
 */
export function createCopyReader(target: Packager, mask: Mask, onFault: (error: unknown) => void): Packager {
  let copy: SmallCopy | null = null
  let waiting = 0
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

  const pass = async ({ keyframe, timeMs, parameters, data }: Omit<PackagerPacket, 'data'> & { data: Buffer }) => {
    waiting--
    copy ??= createSmallCopy(mask)
    const done = await copy.add({ keyframe, timeMs, parameters, data })
    for (const unit of done) target.packet({ ...unit, data: () => unit.data })
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
      following = waiting < MOST_WAITING && (following || keyframe)
      if (!following) target.skipped?.()
      if (!following || isBroken) return
      waiting++
      const unit = { keyframe, timeMs, parameters, data: ownCopy(data()) }
      next(() => pass(unit))
    },
    skipped: () => target.skipped?.(),
    async closed() {
      next(() => target.closed?.())
      await last
      restart()
    },
  }
}
