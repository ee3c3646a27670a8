import { expect, it } from 'vitest'
import { createChosenEdges } from './chosen-edges.ts'
import type { Session } from './session.ts'
import { createMemoryLog } from './testing/installation.ts'
import { topics } from './topics.ts'

const OWNER = ['candidatos', 'extras', 'relato', 'renovacao'] as const
const ofOwner = (edgeId: number) => OWNER.map((name) => topics(edgeId)[name])

/** The topics that a broker would deliver. */
function createSession(subscriptions: readonly string[]) {
  const held = new Set(subscriptions)
  const session: Pick<Session, 'subscribe' | 'unsubscribe'> = {
    subscribe: async (added) => {
      for (const topic of added) held.add(topic)
    },
    unsubscribe: async (removed) => {
      for (const topic of removed) held.delete(topic)
    },
  }
  return { session: session as Session, held }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('reads the topics of own and watched edges, and of no others', async () => {
  const { session, held } = createSession([])
  const chosen = createChosenEdges(() => session, createMemoryLog())
  chosen.own([1, 2])
  const end = chosen.watch(3)
  const other = chosen.watch(3)
  await settled()
  expect([...held].sort()).toEqual([...ofOwner(1), ...ofOwner(2), topics(3).aovivo].sort())
  chosen.own([2])
  end()
  end()
  await settled()
  expect([...held].sort()).toEqual([...ofOwner(2), topics(3).aovivo].sort())
  other()
  await settled()
  expect([...held].sort()).toEqual(ofOwner(2).sort())
})

it('reads edges that it got or lost during the attempt to connect', async () => {
  let session: Session | null = null
  const chosen = createChosenEdges(() => session, createMemoryLog())
  chosen.own([1])
  const attempt = createSession(chosen.begin())
  expect([...attempt.held]).toEqual(ofOwner(1))
  chosen.own([2])
  await settled()
  session = attempt.session
  chosen.update()
  await settled()
  expect([...attempt.held]).toEqual(ofOwner(2))
})
