import type { LinkLog } from './log.ts'
import type { Ending } from './session.ts'

/** Notices that the broker does not take the certificate of this end any more, and tells the person who has to do something. */
export interface RefusalWatch {
  /** A session or an attempt ended. */
  ended(ending: Ending): void
}

/** A broker that has just started may refuse everybody until it knows whom to let in. */
const SUSPICIOUS = 3
const QUIET_MS = 60 * 60_000
/** CONNACK return code 5 (MQTT 3.1.1 section 3.2.2.3) as the client library words it, and the alerts of TLS (RFC 8446 section 6.2). */
const REFUSED = /not authorized|certificate (revoked|expired|unknown)/i

/** @param now monotonic, ms */
export function createRefusalWatch(log: LinkLog, now: () => number): RefusalWatch {
  let inARow = 0
  let saidAt = Number.NEGATIVE_INFINITY
  return {
    ended: ({ reason }) => {
      inARow = REFUSED.test(reason) ? inARow + 1 : 0
      if (inARow < SUSPICIOUS || now() - saidAt < QUIET_MS) return
      saidAt = now()
      log.error(
        { tentativas: inARow },
        'A central não aceita mais o certificado deste edge: ele foi removido, trocado por outra caixa ou o certificado venceu. Para voltar, ative-o com um código novo.',
      )
    },
  }
}
