import type { LinkLog } from './log.ts'
import type { Ending } from './session.ts'

/** Detects that the broker rejects this edge's certificate, and logs instructions for the operator. */
export interface RefusalMonitor {
  /** Handles the end of a session or an attempt. */
  ended(ending: Ending): void
}

/** Refusals in a row that trigger the message. A starting broker refuses all clients until it has its list. */
const SUSPICIOUS = 3
const QUIET_MS = 60 * 60_000
/** Text of CONNACK return code 5 (MQTT 3.1.1 section 3.2.2.3) in mqtt.js, and TLS alerts (RFC 8446 section 6.2). */
const REFUSED = /not authorized|certificate (revoked|expired|unknown)/i

/** @param now monotonic, in ms */
export function createRefusalMonitor(log: LinkLog, now: () => number): RefusalMonitor {
  let inARow = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    ended: ({ reason }) => {
      inARow = REFUSED.test(reason) ? inARow + 1 : 0
      if (inARow < SUSPICIOUS || now() - loggedAt < QUIET_MS) return
      loggedAt = now()
      log.error(
        { tentativas: inARow },
        'A central não aceita mais o certificado desta caixa: ele foi removido, trocado por outra caixa ou o ' +
          'certificado venceu. Para voltar, ative-o com um código novo.',
      )
    },
  }
}
