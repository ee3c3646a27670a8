const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Lifetimes of the authorization server in ms. */
export const lifetimes = {
  code: MINUTE,
  /** One refresh token. */
  refresh: 30 * DAY,
  /** From the first use of a refresh token, in which a second use is a lost answer or a race of one program. */
  refreshAgain: MINUTE,
  /** An authorization with all its renewals; afterwards the person must consent again. */
  authorization: 180 * DAY,
  /** A client without any authorization yet. */
  unusedClient: DAY,
  /** A client without a live authorization, since its last use. */
  idleClient: 90 * DAY,
  /** Time of use of a signing key. */
  key: 90 * DAY,
  /** Time from publication to first use of a key, longer than clients cache the key set. */
  keyNotice: DAY,
  /** Publication after the end of its last token. */
  keyGrace: 5 * MINUTE,
  /** Retention of an expired code, to detect a late second use. */
  deadCode: DAY,
  /**
   * Retention of a revoked or expired authorization, for investigations. No decision depends on it, and the audit log
   * stays.
   */
  deadAuthorization: 90 * DAY,
} as const
