const CELL = 4
/** Cells darker or brighter than this are clipped and show no noise. */
const DARKEST = 24
const BRIGHTEST = 240
/** Minimum fraction of usable cells for a result. */
const LEAST_JUDGEABLE = 0.1
/**
 * Times without any changed grey level in a cell for the values 0 and 1. Surveillance cameras send a keyframe every
 * 1–10 s, with "smart" codecs up to about 20 s. Each keyframe changes pixels slightly, as does the sensor's noise.
 */
const FROZEN_FROM_MS = 25_000
const FROZEN_MS = 45_000

/**
 * A recorder that encodes a frozen picture anew changes pixels only at keyframes. A live picture of a camera with
 * sensor noise changes pixels all the time. Typical: the median over RECENT frames of the fraction of changed pixels.
 */
const RECENT = 15
/** Minimum usual fraction; below it the encoder removes the noise, and a live still scene resembles a frozen one. */
const LEAST_NOISY = 0.02
/** Fraction of the usual value below which the noise has stopped. */
const STOPPED = 0.1
/** Time of learning, and time constant with which the usual value rises. */
const LEARN_MS = 300_000
const FORGET_TAU_MS = 3_600_000
/**
 * The usual value falls with this time constant once it is known. An encoder removes the last noise of a frozen picture
 * in seconds. While it is learnt it falls at once, so that one still moment shows an encoder that removes noise.
 */
const FADE_TAU_MS = 6_000
/** Times without noise for the values 0 and 1, and the time after which it is usual. */
const STOPPED_FROM_MS = 500
const STOPPED_MS = 2_000
const ACCEPTED_MS = 4 * 3_600_000
/** Largest change of the mean brightness at that moment, grey levels: lights and covers are no frozen picture. */
const SAME_LIGHT = 4

/**
 * Whether the noise of the picture has stopped from one moment to the next while the picture stayed, 0–1. Not judged
 * below LEAST_NOISY. A change of the encoder's settings may cause the same once.
 */
export function createNoiseMonitor() {
  const recent = new Float32Array(RECENT)
  let count = 0
  let usual = Infinity
  let learntMs = 0
  let light = 0
  let stopped: { readonly sinceMs: number; readonly light: number } | null = null

  return {
    /** `changed`: fraction of the pixels that differ from the previous frame. */
    stopped(changed: number, mean: number, frameMs: number, elapsedMs: number): number {
      recent[count % RECENT] = changed
      count++
      if (count < RECENT) {
        light = mean
        return 0
      }
      const typical = recent.toSorted()[RECENT >> 1] as number
      const isKnown = learntMs >= LEARN_MS && usual >= LEAST_NOISY
      if (isKnown && typical <= STOPPED * usual) {
        stopped ??= { sinceMs: frameMs, light }
        const lastedMs = frameMs - stopped.sinceMs
        if (lastedMs < ACCEPTED_MS) {
          if (Math.abs(mean - stopped.light) > SAME_LIGHT) return 0
          return Math.min(1, Math.max(0, (lastedMs - STOPPED_FROM_MS) / (STOPPED_MS - STOPPED_FROM_MS)))
        }
        usual = typical
      }
      stopped = null
      learntMs += elapsedMs
      light += (mean - light) * Math.min(1, elapsedMs / 3_000)
      if (usual === Infinity) usual = typical
      const tauMs = learntMs < LEARN_MS ? 1 : FADE_TAU_MS
      usual += (typical - usual) * Math.min(1, elapsedMs / (typical < usual ? tauMs : FORGET_TAU_MS))
      return 0
    },
    /** After a pause of the stream or a jump of its clock. */
    restart(): void {
      count = 0
      stopped = null
    },
  }
}

/**
 * Detects a frozen picture: the recorder repeats the last one, perhaps with its own running clock. A camera that always
 * sends the same picture (a test picture) counts as frozen. Stores the previous picture and the time of each cell's
 * last change (24 kB).
 */
export function createStillness(first: Uint8Array, width: number, height: number, timestampMs: number) {
  const columns = Math.ceil(width / CELL)
  const rows = Math.ceil(height / CELL)
  const before = Uint8Array.from(first)
  const changedMs = new Float64Array(columns * rows).fill(timestampMs)
  const means = new Float32Array(columns * rows)
  const noise = createNoiseMonitor()
  let lastMs = timestampMs

  return {
    /** Confidence that the picture is frozen, 0–1. */
    frozen(gray: Uint8Array, frameMs: number): number {
      // A pause of the stream is no evidence of a frozen picture.
      const elapsedMs = frameMs - lastMs
      if (elapsedMs < 0 || elapsedMs > FROZEN_FROM_MS / 5) {
        changedMs.fill(frameMs)
        noise.restart()
      }
      lastMs = frameMs
      let [changed, sum] = [0, 0]
      means.fill(0)
      for (let y = 0, at = 0; y < height; y++) {
        const row = Math.floor(y / CELL) * columns
        for (let x = 0; x < width; x++, at++) {
          const cell = row + (x >> 2)
          const value = gray[at] as number
          means[cell] = (means[cell] as number) + value
          sum += value
          if (value !== before[at]) {
            changed++
            before[at] = value
            changedMs[cell] = frameMs
          }
        }
      }
      const silent = noise.stopped(changed / gray.length, sum / gray.length, frameMs, Math.max(0, elapsedMs))
      let [judged, standing, oldest] = [0, 0, 0]
      for (let cell = 0; cell < changedMs.length; cell++) {
        const mean = (means[cell] as number) / (CELL * CELL)
        if (mean < DARKEST || mean > BRIGHTEST) continue
        judged++
        const age = frameMs - (changedMs[cell] as number)
        if (age < FROZEN_FROM_MS) continue
        standing++
        oldest += Math.min(FROZEN_MS, age)
      }
      if (judged < LEAST_JUDGEABLE * changedMs.length || standing === 0) return silent
      // The recorder's own clock may run: about one cell in a hundred.
      const almostAll = Math.min(1, Math.max(0, (standing / judged - 0.95) / 0.03))
      return Math.max(silent, (almostAll * (oldest / standing - FROZEN_FROM_MS)) / (FROZEN_MS - FROZEN_FROM_MS))
    },
  }
}
