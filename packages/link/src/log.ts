/** The part of pino's logger that the link uses; a pino logger fits as it is. Payloads are never passed to it. */
export interface LinkLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** What may be logged of an error in work on decrypted content: its message, and fields like `input`, may quote a password. */
export function withoutMessage(error: unknown): object {
  if (!(error instanceof Error)) return { erro: typeof error }
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return { erro: error.name, pilha: frames }
}
