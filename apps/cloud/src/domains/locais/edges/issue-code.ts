import { CODIGO_VALIDO_MS, hashActivationCode, newActivationCode } from '../../../adapters/one-time-code.ts'

/** Returns a new activation code and its stored form. Only the hash may be stored or logged. */
export function issueCode(now: number) {
  const codigo = newActivationCode()
  const codigo_hash = hashActivationCode(codigo)
  if (codigo_hash === null) throw new Error('hash of a new activation code failed')
  const codigo_expira_em = now + CODIGO_VALIDO_MS
  return {
    stored: { codigo_hash, codigo_expira_em },
    shown: { codigo, expira_em: new Date(codigo_expira_em).toISOString() },
  }
}
