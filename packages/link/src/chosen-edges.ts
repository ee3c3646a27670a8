import type { LinkLog } from './log.ts'
import type { Session } from './session.ts'
import { type TopicName, topics } from './topics.ts'

/** Topics that one replica of the cloud reads for an edge. The others answer every replica, or none. */
const OWNER_TOPICS = ['candidatos', 'extras', 'relato', 'renovacao'] as const satisfies readonly TopicName[]

/** The topics of single edges that a connection reads. */
export interface ChosenEdges {
  owns(edgeId: number): boolean
  watches(edgeId: number): boolean
  /** Topics of a new session. */
  list(): string[]
  /** Reads what the owner of these edges reads, and nothing of others. */
  own(edgeIds: Iterable<number>): void
  /** Reads the live pictures of an edge until the returned function is called. */
  watch(edgeId: number): () => void
}

/**
 * @param session the present one, or null; a subscription that fails ends it, and the next session has all topics
 */
export function createChosenEdges(session: () => Session | null, log: LinkLog): ChosenEdges {
  let owned = new Set<number>()
  const watched = new Map<number, number>()
  let last: Promise<void> = Promise.resolve()

  const ownerTopics = (edgeId: number): string[] => OWNER_TOPICS.map((name) => topics(edgeId)[name])
  /** Changes follow one another, so that the last one wins at the broker too. */
  const change = (act: (current: Session) => Promise<void>) => {
    const current = session()
    if (current === null) return
    last = last.then(() => act(current)).catch((err: unknown) => log.debug({ err }, 'subscription not changed'))
  }

  return {
    owns: (edgeId) => owned.has(edgeId),
    watches: (edgeId) => watched.has(edgeId),
    list: () => [...[...owned].flatMap(ownerTopics), ...[...watched.keys()].map((edgeId) => topics(edgeId).aovivo)],
    own(edgeIds) {
      const before = owned
      owned = new Set(edgeIds)
      const added = [...owned].filter((edgeId) => !before.has(edgeId)).flatMap(ownerTopics)
      const removed = [...before].filter((edgeId) => !owned.has(edgeId)).flatMap(ownerTopics)
      if (removed.length > 0) change((current) => current.unsubscribe(removed))
      if (added.length > 0) change((current) => current.subscribe(added))
    },
    watch(edgeId) {
      const viewers = watched.get(edgeId) ?? 0
      watched.set(edgeId, viewers + 1)
      if (viewers === 0) change((current) => current.subscribe([topics(edgeId).aovivo]))
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        const left = (watched.get(edgeId) ?? 1) - 1
        if (left > 0) watched.set(edgeId, left)
        else {
          watched.delete(edgeId)
          change((current) => current.unsubscribe([topics(edgeId).aovivo]))
        }
      }
    },
  }
}
