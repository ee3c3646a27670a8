/**
 * Longest group of pictures, from a keyframe to the next one. "Smart" codecs (H.264+, H.265+, Smart Codec) lengthen it
 * while the scene is still; makers allow up to 300 s.
 */
export const LONGEST_GROUP_MS = 300_000

/** A group longer than this is one of a "smart" codec: nothing may wait for its end unseen. */
export const USUAL_GROUP_MS = 10_000

/** Shortest time between two requests to the device of a camera for a keyframe. */
export const KEYFRAME_REQUEST_MS = 30_000
