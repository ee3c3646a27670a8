import { setTimeout as delay } from 'node:timers/promises'
import type { EdgeLineage } from '@vigia/link/edge-lineage'
import type { LinkLog } from '@vigia/link/log'
import { createShares } from '@vigia/link/shares'
import { CERTIFICATES_TOPIC, parseTopic, topics } from '@vigia/link/topics'
import type { BrokerLimits } from './limits.ts'
import { createStateFolder, type StoredMessage } from './state-folder.ts'

/** Longest wait of the PUBACK of a list for the disk, so that a broken disk does not block the cloud. */
const LIST_ON_DISK_MS = 5_000

/** Retained messages of the broker: their limits, and the part that is stored on disk. */
export interface RetainedStates {
  /** false: no space to retain it. Accepted desired states are also written to disk. */
  retain(topic: string, payload: Buffer): boolean
  /** Stores the certificates in force. Resolves when they are on disk, or after a time limit. */
  keepList(payload: Buffer): Promise<void>
  /**
   * Stores the last will of a client for the case that the broker is killed. The will replaces the announced presence,
   * so that after a restart a client counts as offline until it connects.
   */
  keepWill(will: StoredMessage): void
  /** Restores the states from disk by calling the two callbacks. `allow`: false for an invalid list. Never rejects. */
  restore(into: { allow(list: Buffer): boolean; publish(message: StoredMessage): Promise<void> }): Promise<void>
  /** The Empresas of the edges have changed. */
  regroup(): void
  /** Resolves when no write is pending. */
  idle(): Promise<void>
}

interface RetainedDeps {
  /** Without it all states are lost at a restart. */
  readonly dir: string | undefined
  readonly limits: BrokerLimits['retained']
  lineageOf(edgeId: number): EdgeLineage
  readonly log: LinkLog
}

interface Kept {
  readonly bytes: number
  readonly lineage: EdgeLineage
}

export function createRetainedStates({ dir, limits, lineageOf, log }: RetainedDeps): RetainedStates {
  const folder = dir === undefined ? null : createStateFolder(dir, log)
  const kept = new Map<string, Kept>()
  const shares = { messages: createShares(limits.messages), bytes: createShares(limits.bytes) }
  const lineageFor = (topic: string): EdgeLineage => {
    const target = parseTopic(topic)
    return target === null ? { root: topic, empresa: topic, edge: topic } : lineageOf(target.edgeId)
  }

  function release({ bytes, lineage }: Kept): void {
    shares.messages.give(lineage, 1)
    shares.bytes.give(lineage, bytes)
  }

  function take({ bytes, lineage }: Kept): boolean {
    if (!shares.messages.take(lineage, 1)) return false
    if (shares.bytes.take(lineage, bytes)) return true
    shares.messages.give(lineage, 1)
    return false
  }

  /** Counts the new payload of a topic; an empty payload clears it. false: no space, nothing changed. */
  function reserve(topic: string, bytes: number): boolean {
    const before = kept.get(topic)
    if (before) release(before)
    kept.delete(topic)
    if (bytes === 0) return true
    const next = { bytes, lineage: lineageFor(topic) }
    const hasSpace = take(next)
    if (hasSpace) kept.set(topic, next)
    else if (before && take(before)) kept.set(topic, before)
    return hasSpace
  }

  return {
    retain: (topic, payload) => {
      if (!reserve(topic, payload.length)) return false
      const target = parseTopic(topic)
      if (target?.name !== 'desejado') return true
      void folder?.keep(topic, payload)
      // The cloud clears it when the edge is deleted, so the last will is obsolete.
      if (payload.length === 0) void folder?.keep(topics(target.edgeId).presenca, payload)
      return true
    },
    keepList: async (payload) => {
      const late = delay(LIST_ON_DISK_MS, undefined, { ref: false })
      await Promise.race([folder?.keep(CERTIFICATES_TOPIC, payload), late])
    },
    keepWill: ({ topic, payload }) => void folder?.keep(topic, payload),
    restore: async ({ allow, publish }) => {
      try {
        for (const message of (await folder?.load()) ?? []) {
          if (message.topic !== CERTIFICATES_TOPIC) {
            if (reserve(message.topic, message.payload.length)) await publish(message)
          } else if (!allow(message.payload)) await folder?.putAside(message.topic)
        }
      } catch (err) {
        // The broker starts without stored states, because an outage of the broker is worse.
        log.error({ err, pasta: dir }, 'state folder unusable; starting without it')
      }
    },
    regroup() {
      for (const [topic, { bytes, lineage }] of kept) {
        const next = lineageFor(topic)
        shares.messages.move(lineage, next, 1)
        shares.bytes.move(lineage, next, bytes)
        kept.set(topic, { bytes, lineage: next })
      }
    },
    idle: async () => folder?.idle(),
  }
}
