import type { CameraFailure } from '@vigia/contracts/camera-failures'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'

/** One of the camera's two streams. */
export type StreamChoice = 'sub' | 'principal'

export interface RetryPolicy {
  readonly choice: StreamChoice
  /**
   * Records the end of a connection that delivered frames for `ranMs` (0: no frame). Returns the delay before the next
   * attempt, in ms. There is no limit of attempts.
   */
  failed(failure: CameraFailure, ranMs: number): number
}

/**
 * Delays after so many refused logins, the last one also after more: at most four in any hour. Makers lock an address
 * out after five to seven wrong passwords, and only a person can correct the password.
 */
const REFUSED_MS = [30_000, 120_000, 3_600_000]
/** The same of a host that starts: `host-logins.ts` sends them 30 s, 90 s and 5 minutes after the first one. */
const STARTING_MS = [30_000, 60_000, 210_000, 3_600_000]
const UNREACHABLE: ReadonlySet<CameraFailure> = new Set(['conexao_recusada', 'sem_rota', 'sem_resposta'])

/** The device refused the connection, or did not answer: it may be starting. */
export const isUnreachable = (failure: CameraFailure): boolean => UNREACHABLE.has(failure)

/** Definite refusals by the equipment, which rarely change soon. */
const CLEAR_ANSWER: BackoffLimits = { minMs: 10_000, maxMs: 120_000 }
const USUAL: BackoffLimits = { minMs: 1_000, maxMs: 30_000 }

const limitsOf: Partial<Record<CameraFailure, BackoffLimits>> = {
  nao_encontrado: CLEAR_ANSWER,
  redirecionado: CLEAR_ANSWER,
  sem_video: CLEAR_ANSWER,
  codec_nao_suportado: CLEAR_ANSWER,
  video_grande_demais: CLEAR_ANSWER,
}

/** Answers about one stream of the device: the other one may work. */
const OF_ONE_STREAM: ReadonlySet<CameraFailure> = new Set([
  'nao_encontrado',
  'redirecionado',
  'sem_video',
  'sem_quadros',
  'dados_invalidos',
  'codec_nao_suportado',
])

/** After a stream has run this long, its end counts as a first failure. */
const STABLE_MS = 30_000
/** Consecutive failures before the policy switches to the other stream. */
const SWITCH_AFTER = 3

/**
 * Chooses the time and the stream of the next connection. The sub stream costs a tenth of the main stream to decode
 * and is enough to detect people. It is preferred, also again after every stable run. A sub stream without a picture
 * gives way at once if the reason is its own. A device that is starting may not have all its streams yet. Delays
 * double up to a limit that depends on the failure. The upper half of each delay is random, so that the cameras of one
 * recorder do not reconnect simultaneously.
 */
export function createRetryPolicy(hasSub: boolean, random: () => number = Math.random): RetryPolicy {
  const preferred: StreamChoice = hasSub ? 'sub' : 'principal'
  let choice = preferred
  let failures = 0
  let refusals = 0
  let onThisStream = 0
  let wasUnreachable = false

  return {
    get choice() {
      return choice
    },
    failed(failure, ranMs) {
      if (ranMs >= STABLE_MS) {
        failures = 0
        refusals = 0
        onThisStream = 0
        wasUnreachable = false
        choice = preferred
      }
      wasUnreachable ||= isUnreachable(failure)
      failures++
      onThisStream++
      const isDead = choice === 'sub' && OF_ONE_STREAM.has(failure) && ranMs === 0 && !wasUnreachable
      // Such a failure has taken as long as the longest group of pictures: the other stream may be an ordinary one.
      if (hasSub && (isDead || onThisStream >= SWITCH_AFTER || failure === 'sem_quadro_chave')) {
        choice = choice === 'sub' ? 'principal' : 'sub'
        onThisStream = 0
      }
      if (failure === 'senha_recusada') {
        const pauses = wasUnreachable ? STARTING_MS : REFUSED_MS
        const minMs = pauses[Math.min(refusals++, pauses.length - 1)] ?? 0
        return backoffMs(0, { minMs, maxMs: minMs }, random)
      }
      return backoffMs(failures - 1, isDead && failures === 1 ? USUAL : (limitsOf[failure] ?? USUAL), random)
    },
  }
}
