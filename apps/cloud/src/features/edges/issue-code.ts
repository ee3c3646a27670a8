import { CODIGO_VALIDO_MS, hashActivationCode, newActivationCode } from '../../adapters/one-time-code.ts'

/** A fresh activation code and the form in which it is stored. Only the hash may be written anywhere. */
export function issueCode(now: number) {
  const codigo = newActivationCode()
  const codigo_hash = hashActivationCode(codigo)
  if (codigo_hash === null) throw new Error('a fresh activation code does not read back')
  const codigo_expira_em = now + CODIGO_VALIDO_MS
  return {
    stored: { codigo_hash, codigo_expira_em },
    shown: { codigo, expira_em: new Date(codigo_expira_em).toISOString() },
  }
}
