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
/** The same by the code of a refused certificate. */
const certificateReasons: readonly (readonly [RegExp, string])[] = [
  [/^(HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME)/, 'o certificado TLS do servidor não é deste nome'],
  [/^CERT_HAS_EXPIRED$/, 'o certificado TLS do servidor venceu'],
  [
    /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA)/,
    'o certificado TLS do servidor vem de uma autoridade que o Vigia não conhece: use um certificado público, ou ' +
      'peça ao operador que acrescente a autoridade em NODE_EXTRA_CA_CERTS',
  ],
  [/^(CERT_|INVALID_PURPOSE)/, 'o certificado TLS do servidor não é válido'],
]

/** Sentence about a failed connection, with the error code for further analysis. */
export function connectionFailure(code: string): string {
  const reason = reasons[code] ?? certificateReasons.find(([codes]) => codes.test(code))?.[1] ?? 'a conexão falhou'
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
