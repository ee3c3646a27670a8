import type { Clock } from '../../../adapters/clock.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import { papelOfChave, unpackAlcance } from '../../../db/alcance.ts'
import { findEmpresaByHost, subtreeIds } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import type { Authenticate } from '../../../http/access.ts'
import { noEffect } from '../../../http/effects.ts'
import { hiddenPlates } from '../../../scope/hidden-plates.ts'
import { isLost, scopeOf } from '../../../scope/scope-of.ts'
import { keyHash } from './chave-token.ts'
import { findLiveKey, markKeyUsed } from './store.ts'

interface AuthenticateKeyDeps {
  readonly db: Database
  readonly clock: Clock
  readonly dominioNeutro: string | null
  readonly disk: Pick<DiskSpace, 'tolerate'>
}

/**
 * Minimum interval between two updates of the last use. A commit for every request would cost more than the request.
 */
const NOTE_MS = 60_000

/**
 * Returns the rights of an API key with its current scope. A host accepts a key if it accepts a login of the same
 * Empresa.
 */
export const createAuthenticateKey =
  ({ db, clock, dominioNeutro, disk }: AuthenticateKeyDeps): Authenticate =>
  async (token, host) => {
    const hash = keyHash(token)
    const now = clock.now()
    const row = hash === null ? undefined : await findLiveKey(db, hash, now)
    if (!row) return null
    const { id, nome, empresa_id: empresaId } = row
    if (dominioNeutro !== null && host !== null && host !== dominioNeutro && !(await isHostOf(db, host, empresaId)))
      return null
    const papel = papelOfChave(row.escopo)
    const reach = { papel, empresa_id: empresaId, alcance: row.alcance }
    const escopo = await scopeOf(db, reach)
    if (isLost(reach, escopo)) return null
    if ((row.usada_em ?? 0) < now - NOTE_MS) await disk.tolerate(() => markKeyUsed(db, id, now))
    const placasOcultas = await hiddenPlates(db, papel, escopo)
    const alcance = unpackAlcance(row.alcance, papel)
    const rights = { papel, empresaId, alcance, escopo, placasOcultas, efeitos: noEffect } as const
    return { usuarioId: null, username: null, ...rights, chave: { id, nome } }
  }

async function isHostOf(db: Database, host: string, empresaId: number): Promise<boolean> {
  const empresa = await findEmpresaByHost(db, host)
  return empresa !== undefined && (await subtreeIds(db, empresa.id)).has(empresaId)
}
