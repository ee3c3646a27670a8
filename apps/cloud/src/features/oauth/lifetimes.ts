const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long everything of the authorization server lasts, ms. */
export const lifetimes = {
  code: MINUTE,
  /** One refresh token. */
  refresh: 30 * DAY,
  /** An authorization, however often it is renewed: then the person is asked again. */
  authorization: 180 * DAY,
  /** A client that nobody has authorized yet. */
  unusedClient: DAY,
  /** A client without a live authorization, since its last use. */
  idleClient: 90 * DAY,
  /** A signing key, from one to the next. */
  key: 90 * DAY,
  /** A key is published this long before it signs: longer than anybody keeps a copy of the set. */
  keyNotice: DAY,
  /** And this long after its last token has expired. */
  keyGrace: 5 * MINUTE,
  /** A code is kept this long after its end, so that a late second use is noticed. */
  deadCode: DAY,
  /** What was revoked or has ended is kept this long, for whoever looks into it; nothing goes by it, and the audit log stays. */
  deadAuthorization: 90 * DAY,
} as const
