/** Reason of a failed connection by Node's error code: Portuguese, as part of a sentence. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'o nome do servidor não existe',
  EAI_AGAIN: 'o DNS não respondeu',
  ECONNREFUSED: 'o servidor recusou a conexão',
  ECONNRESET: 'o servidor cortou a conexão',
  EPIPE: 'o servidor cortou a conexão',
  EHOSTUNREACH: 'não há caminho até o servidor',
  ENETUNREACH: 'não há caminho até o servidor',
  ETIMEDOUT: 'o servidor não respondeu a tempo',
}
const certificateCodes =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME|INVALID_CA|INVALID_PURPOSE)/

/** Sentence about a failed connection, with the error code for further analysis. */
export function connectionFailure(code: string): string {
  const reason =
    reasons[code] ??
    (certificateCodes.test(code) ? 'o certificado TLS do servidor não é válido para este nome' : 'a conexão falhou')
  return `Não foi possível entregar: ${reason} (${code}).`
}

/** The innermost code of a network error; null: another error. TypeErrors of Node have codes too, but are excluded. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return null
  const { code, originalCode } = error as { code?: unknown; originalCode?: unknown }
  for (const found of [originalCode, code]) if (typeof found === 'string') return found
  return null
}

/** Sentence for a delivery that the caller or the time limit aborted. */
export const gaveUp = (signal: AbortSignal, timeoutMs: number): string =>
  signal.aborted ? 'O envio foi interrompido.' : `O servidor não respondeu em ${timeoutMs / 1000} s.`
