/** A summary of backlog is sent when none has arrived for this time, or when the oldest has waited for the longest. */
export const BACKLOG_QUIET_MS = 30_000
const BACKLOG_LONGEST_MS = 10 * 60_000
/** Messages that waited longer for their destination are sent as one. */
const PILED_UP_MS = 60_000

/** Time at which a summary of backlog is due. @param oldest @param newest creation times in epoch ms */
export const backlogDue = (oldest: number, newest: number): number =>
  Math.min(newest + BACKLOG_QUIET_MS, oldest + BACKLOG_LONGEST_MS)

/** Whether a message has waited so long that it carries the others of its destination. */
export const hasPiledUp = (createdAt: number, now: number): boolean => now - createdAt > PILED_UP_MS
