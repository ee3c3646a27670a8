import type { CameraFailure } from '@vigia/contracts/camera-failures'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'

/** Which of the camera's two streams. */
type StreamChoice = 'sub' | 'principal'

export interface RetryPolicy {
  readonly choice: StreamChoice
  /** A connection ended after frames came for `ranMs` (0: none came). Returns how long to wait, ms. Never says "give up". */
  failed(failure: CameraFailure, ranMs: number): number
}

/** Makers lock an address out after five to seven wrong passwords; a human being has to change something anyway. */
const REFUSED: BackoffLimits = { minMs: 30_000, maxMs: 300_000 }
/** The equipment answered clearly, and will answer the same for some time. */
const CLEAR_ANSWER: BackoffLimits = { minMs: 10_000, maxMs: 120_000 }
const USUAL: BackoffLimits = { minMs: 1_000, maxMs: 30_000 }

const limitsOf: Partial<Record<CameraFailure, BackoffLimits>> = {
  senha_recusada: REFUSED,
  nao_encontrado: CLEAR_ANSWER,
  sem_video: CLEAR_ANSWER,
  codec_nao_suportado: CLEAR_ANSWER,
}

/** A stream that ran this long was a good one: its end is a first failure. */
const STABLE_MS = 30_000
/** Failures in a row after which the other stream is tried. */
const SWITCH_AFTER = 3

/**
 * When to connect again, and to which stream: the sub stream costs a tenth of the main stream to decode and is enough to see
 * people, so it comes first and comes back after every good run. Waits double up to a limit that depends on the failure, and
 * their upper half is drawn by chance, so that the cameras of one recorder do not knock in step.
 */
export function createRetryPolicy(hasSub: boolean, random: () => number = Math.random): RetryPolicy {
  const preferred: StreamChoice = hasSub ? 'sub' : 'principal'
  let choice = preferred
  let failures = 0
  let onThisStream = 0

  return {
    get choice() {
      return choice
    },
    failed(failure, ranMs) {
      if (ranMs >= STABLE_MS) {
        failures = 0
        onThisStream = 0
        choice = preferred
      }
      failures++
      onThisStream++
      if (hasSub && onThisStream >= SWITCH_AFTER) {
        choice = choice === 'sub' ? 'principal' : 'sub'
        onThisStream = 0
      }
      return backoffMs(failures - 1, limitsOf[failure] ?? USUAL, random)
    },
  }
}
