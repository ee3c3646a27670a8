import { VigiaError } from '@vigia/contracts/errors'
import { newToken, tokenHash } from '../../../adapters/bearer-token.ts'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { AuthenticateEdge } from '../../../http/access.ts'
import type { EdgeCredential } from '../../../http/route.ts'
import { findCredential, insertCredential, markCredentialsUsed } from './credential-store.ts'

/** Validity of a token. A longer upload continues with the token of a new order. */
export const CREDENTIAL_MS = 15 * 60_000
/** Expired tokens are kept for this time, so that their refusal names the reason. */
const KEPT_MS = 24 * 3_600_000

/** Creates a token for one upload, or for one stream epoch, of one edge. Only its hash is stored. */
export async function issueCredential(tx: Database, credential: EdgeCredential, now: number): Promise<string> {
  const token = newToken()
  const hash = tokenHash(token) ?? ''
  await insertCredential(tx, hash, credential, { venceEm: now + CREDENTIAL_MS, before: now - KEPT_MS })
  return token
}

const refused = (detalhe: string) => new VigiaError('nao_autenticado', { detalhe })

/** Checks the token of a request with acesso `edge`. */
export const createAuthenticateEdge =
  ({ db, clock }: { readonly db: Database; readonly clock: Clock }): AuthenticateEdge =>
  async (token) => {
    const hash = tokenHash(token)
    const row = hash === null ? undefined : await findCredential(db, hash)
    if (!row) throw refused('Credencial de envio ausente ou desconhecida. Espere a próxima ordem da central.')
    const isSpent = row.usada_em !== null
    if (isSpent && row.finalidade !== 'clipe') throw spentCredential()
    // A clock that was set back must not extend the validity.
    const left = row.vence_em - clock.now()
    if (left <= 0 || left > CREDENTIAL_MS)
      throw refused('A credencial de envio venceu. Espere a próxima ordem da central.')
    return { edgeId: row.edge_id, finalidade: row.finalidade, alvo: row.alvo, ...(isSpent && { isSpent }) }
  }

/** Refusal of a credential whose upload has ended. */
export const spentCredential = (): VigiaError => refused('Este envio já terminou, e a credencial dele não vale mais.')

/** Ends every token of this upload, in the transaction that completes it. */
export const spendCredentials = (tx: Database, credential: EdgeCredential, now: number): Promise<void> =>
  markCredentialsUsed(tx, credential, now)
