import type { LinkLog } from './log.ts'
import type { Session } from './session.ts'
import { type TopicName, topics } from './topics.ts'

/** Topics that one replica of the cloud reads for an edge. The others answer every replica, or none. */
const OWNER_TOPICS = ['candidatos', 'extras', 'relato', 'renovacao'] as const satisfies readonly TopicName[]

/** The topics of single edges that a connection reads. */
export interface ChosenEdges {
  owns(edgeId: number): boolean
  /** Topics that a new attempt to connect asks for. */
  begin(): string[]
  /** Call it when a session is ready: the topics may have changed during its attempt. */
  update(): void
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
  /** Topics that the present session has, or that its attempt to connect asks for. */
  let read = new Set<string>()
  let last: Promise<void> = Promise.resolve()

  const wanted = (): string[] => [
    ...[...owned].flatMap((edgeId) => OWNER_TOPICS.map((name) => topics(edgeId)[name])),
    ...[...watched.keys()].map((edgeId) => topics(edgeId).aovivo),
  ]

  /** Brings the session up to date. Changes follow one another, so that the last one wins at the broker too. */
  function update(): void {
    last = last
      .then(async () => {
        const current = session()
        // A session that is not ready yet is updated when it is.
        if (current === null) return
        const next = new Set(wanted())
        const removed = [...read].filter((topic) => !next.has(topic))
        const added = [...next].filter((topic) => !read.has(topic))
        read = next
        if (removed.length > 0) await current.unsubscribe(removed)
        if (added.length > 0) await current.subscribe(added)
      })
      .catch((err: unknown) => log.debug({ err }, 'subscription not changed'))
  }

  return {
    owns: (edgeId) => owned.has(edgeId),
    begin() {
      read = new Set(wanted())
      return [...read]
    },
    update,
    own(edgeIds) {
      owned = new Set(edgeIds)
      update()
    },
    watch(edgeId) {
      watched.set(edgeId, (watched.get(edgeId) ?? 0) + 1)
      update()
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        const left = (watched.get(edgeId) ?? 1) - 1
        if (left > 0) watched.set(edgeId, left)
        else watched.delete(edgeId)
        update()
      }
    },
  }
}
