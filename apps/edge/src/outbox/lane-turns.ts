/** Lanes to the cloud, the highest first. Clips go over HTTP, in chunks. */
const lanes = ['live', 'backfill', 'extras', 'clips'] as const
type LaneOfLink = (typeof lanes)[number]

/** One of this many messages is of the lowest lane that waits. */
export const TURN_OF = 8

/** Counts messages, so that a lane below others that are always busy still has its turns. */
export interface LaneTurns {
  sent(lane: LaneOfLink): void
  /** Whether the higher lanes have sent so much since its last message that this lane is next. */
  isDue(lane: LaneOfLink): boolean
}

export function createLaneTurns(): LaneTurns {
  const since = new Map<LaneOfLink, number>(lanes.map((lane) => [lane, 0]))
  return {
    sent(lane) {
      since.set(lane, 0)
      for (const lower of lanes.slice(lanes.indexOf(lane) + 1)) since.set(lower, (since.get(lower) ?? 0) + 1)
    },
    isDue: (lane) => (since.get(lane) ?? 0) >= TURN_OF - 1,
  }
}
