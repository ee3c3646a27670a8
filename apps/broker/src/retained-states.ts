import { setTimeout as delay } from 'node:timers/promises'
import type { LinkLog } from '@vigia/link/log'
import { CERTIFICATES_TOPIC, parseTopic, topics } from '@vigia/link/topics'
import { createStateFolder, type StoredMessage } from './state-folder.ts'

/** Largest number of retained messages, and of their bytes in total. They stay in memory as long as the broker runs. */
export interface RetainedLimits {
  readonly messages: number
  readonly bytes: number
}

/** Presence and desired state of two thousand edges, 60 kB each. */
export const DEFAULT_RETAINED: RetainedLimits = { messages: 4096, bytes: 128 * 1024 * 1024 }

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
  /** Resolves when no write is pending. */
  idle(): Promise<void>
}

/** @param dir without it all states are lost at a restart */
export function createRetainedStates(dir: string | undefined, limits: RetainedLimits, log: LinkLog): RetainedStates {
  const folder = dir === undefined ? null : createStateFolder(dir, log)
  const sizes = new Map<string, number>()
  let total = 0

  /** Counts the new payload of a topic; an empty payload clears it. false: no space, nothing changed. */
  function reserve(topic: string, bytes: number): boolean {
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
    idle: async () => folder?.idle(),
  }
}
