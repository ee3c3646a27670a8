/** Arrivals of the pictures of one run of a connection, in monotonic ms. */
export interface SeenPictures {
  /** The last picture, also one that is skipped because no keyframe has come before it. */
  readonly pictureAt: number
  /** The last keyframe, or else the first picture. */
  readonly keyframeAt: number
}

export interface PictureMonitor {
  picture(keyframe: boolean): void
  /** null: no picture so far. */
  readonly seen: SeenPictures | null
}

/** @param now monotonic, in ms */
export function createPictureMonitor(now: () => number = () => performance.now()): PictureMonitor {
  let seen: SeenPictures | null = null
  return {
    picture(keyframe) {
      const pictureAt = now()
      seen = { pictureAt, keyframeAt: keyframe ? pictureAt : (seen?.keyframeAt ?? pictureAt) }
    },
    get seen() {
      return seen
    },
  }
}
