/** The subset of pino's logger that the link uses. Payloads are never logged. */
export interface LinkLog {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Log fields of an error in code that handles decrypted content. Its message and `input` may quote a password. */
export function withoutMessage(error: unknown): object {
  if (!(error instanceof Error)) return { erro: typeof error }
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return { erro: error.name, pilha: frames }
}
