import { setTimeout as delay } from 'node:timers/promises'
import type { LinkLog } from '@vigia/link/log'
import { CERTIFICATES_TOPIC, parseTopic, topics } from '@vigia/link/topics'
import { createStateFolder, type StoredMessage } from './state-folder.ts'

/** How many messages, and bytes in all, the broker keeps retained; each lies in memory for as long as the broker runs. */
export interface RetainedLimits {
  readonly messages: number
  readonly bytes: number
}

/** Presence and desired state of two thousand edges, 60 kB each. */
export const DEFAULT_RETAINED: RetainedLimits = { messages: 4096, bytes: 128 * 1024 * 1024 }

/** How long the answer to a list of certificates waits for the disk; a broken one must not silence the cloud. */
const LIST_ON_DISK_MS = 5_000

/** What the broker keeps for those who come later: how much of it, and which part outlives the broker. */
export interface RetainedStates {
  /** false: there is no room to retain it. A desired state that there is room for goes to the disk as well. */
  retain(topic: string, payload: Buffer): boolean
  /** The certificates in force. Resolves when they are on the disk, or when that takes too long. */
  keepList(payload: Buffer): Promise<void>
  /**
   * What is due of a client when the broker itself ends without a word. It is restored in place of the presence that the client
   * had announced: after a restart it is away, until it is back and says so.
   */
  keepWill(will: StoredMessage): void
  /** What was on the disk, by way of the two that put it in force again. `allow`: false when it makes no sense. Never rejects. */
  restore(into: { allow(list: Buffer): boolean; publish(message: StoredMessage): Promise<void> }): Promise<void>
  /** Resolves when nothing is being written. */
  idle(): Promise<void>
}

/** @param dir without it nothing outlives the broker */
export function createRetainedStates(dir: string | undefined, limits: RetainedLimits, log: LinkLog): RetainedStates {
  const folder = dir === undefined ? null : createStateFolder(dir, log)
  const sizes = new Map<string, number>()
  let total = 0

  /** Counts what a topic keeps from now on; an empty payload clears it. false: no room, and nothing is changed. */
  function takeRoom(topic: string, bytes: number): boolean {
    const before = sizes.get(topic)
    const grown = total - (before ?? 0) + bytes
    const isOneMore = before === undefined && sizes.size >= limits.messages
    if (bytes > 0 && (grown > limits.bytes || isOneMore)) return false
    total = grown
    if (bytes > 0) sizes.set(topic, bytes)
    else sizes.delete(topic)
    return true
  }

  return {
    retain: (topic, payload) => {
      if (!takeRoom(topic, payload.length)) return false
      const target = parseTopic(topic)
      if (target?.name !== 'desejado') return true
      void folder?.keep(topic, payload)
      // Cleared when the edge is deleted: nothing is due of it any more.
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
            if (takeRoom(message.topic, message.payload.length)) await publish(message)
          } else if (!allow(message.payload)) await folder?.putAside(message.topic)
        }
      } catch (err) {
        // A broker without its past is better than none.
        log.error({ err, pasta: dir }, 'state folder can not be used; starting without it')
      }
    },
    idle: async () => folder?.idle(),
  }
}
