/** The part of pino's logger that the link uses; a pino logger fits as it is. Payloads are never passed to it. */
export interface LinkLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
