import { createUsedRates, type Rate } from '@vigia/runtime/used-rate'
import { MAX_RECORD_BYTES } from './limits.ts'
import type { TopicName } from './topics.ts'

/** Bounds of the messages of one edge on one topic. */
interface Bound extends Rate {
  /** Largest message. */
  readonly bytes: number
}

const KIB = 1024
const MIB = 1024 * KIB

/**
 * Batches (`candidatos`, `extras`) have queues and rates of their own. An edge reports every few seconds, 64 cameras in
 * 30 KiB. It answers at most 32 commands at a time. It sends 256 pictures of mosaics a second, and frames of live
 * views.
 */
export const messageBounds = {
  relato: {
    ...{ bytes: MAX_RECORD_BYTES, recordsPerS: 10, burstRecords: 50 },
    ...{ bytesPerS: 2 * MIB, burstBytes: 16 * MIB },
  },
  presenca: { bytes: KIB, recordsPerS: 5, burstRecords: 50, bytesPerS: 5 * KIB, burstBytes: 50 * KIB },
  respostas: {
    ...{ bytes: MAX_RECORD_BYTES, recordsPerS: 64, burstRecords: 256 },
    ...{ bytesPerS: 8 * MIB, burstBytes: 64 * MIB },
  },
  aovivo: { bytes: MIB, recordsPerS: 512, burstRecords: 1_024, bytesPerS: 16 * MIB, burstBytes: 64 * MIB },
  renovacao: { bytes: 16 * KIB, recordsPerS: 1, burstRecords: 10, bytesPerS: 16 * KIB, burstBytes: 160 * KIB },
} as const satisfies Partial<Record<TopicName, Bound>>
type BoundedTopic = keyof typeof messageBounds

export const isBounded = (name: TopicName): name is BoundedTopic => name in messageBounds

/** Rates of the messages of each edge. */
export interface MessageBounds {
  /** Counts a message. false: it is too large, or the edge is above its rates; it must be dropped. */
  accepts(edgeId: number, name: BoundedTopic, bytes: number): boolean
}

/** @param monotonic ms */
export function createMessageBounds(monotonic: () => number = () => performance.now()): MessageBounds {
  const used = {
    relato: createUsedRates(),
    presenca: createUsedRates(),
    respostas: createUsedRates(),
    aovivo: createUsedRates(),
    renovacao: createUsedRates(),
  } satisfies Record<BoundedTopic, unknown>
  return {
    accepts(edgeId, name, bytes) {
      const bound = messageBounds[name]
      const now = monotonic()
      const edge = used[name].of(edgeId, now)
      if (bytes > bound.bytes || edge.excessMs(bound, now) > 0) return false
      edge.charge(bound, now, { records: 1, bytes })
      return true
    },
  }
}
