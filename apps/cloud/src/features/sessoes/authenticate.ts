import { QUIOSQUE_PREFIXO } from '@vigia/contracts/quiosques'
import { tokenHash } from '../../adapters/bearer-token.ts'
import type { Clock } from '../../adapters/clock.ts'
import type { DiskSpace } from '../../adapters/disk-space.ts'
import type { Database } from '../../db/open.ts'
import type { Authenticate } from '../../http/access.ts'
import type { Login } from '../../http/caller.ts'
import { hidesPlates } from '../../scope/hides-plates.ts'
import { scopeOf } from '../../scope/scope-of.ts'
import { mustEnrol } from '../segundo-fator/requirement.ts'
import { findSession, markSessionSeen } from './store.ts'

interface AuthenticateDeps {
  readonly db: Database
  readonly clock: Clock
  /** With a neutral domain, a session is valid only on the host that issued it; null: on any host. */
  readonly dominioNeutro: string | null
  readonly disk: Pick<DiskSpace, 'tolerate'>
}

/** Minimum interval between two updates of the last use of a session. */
const SEEN_MS = 5 * 60_000

/**
 * Returns the login or the quiosque of a session token with its current scope.
 * @param until `sessao`: for a stream. A renewal ends the token that opened it, and the stream lives as long as any
 * token of its session.
 */
export const createAuthenticate =
  ({ db, clock, dominioNeutro, disk }: AuthenticateDeps, until: 'token' | 'sessao' = 'token'): Authenticate =>
  async (token, host) => {
    const hash = tokenHash(token)
    const now = clock.now()
    const session = hash === null ? undefined : await findSession(db, hash, until, now)
    if (!session) return null
    if (dominioNeutro !== null && host !== null && session.host !== host) return null
    const id = session.sessao_id
    if (session.visto_em < now - SEEN_MS) await disk.tolerate(() => markSessionSeen(db, id, now))
    const sessao = { id, expiraEm: session.expira_em, renovaAte: session.renova_ate }
    return { ...(await ownerOf(db, session)), sessao }
  }

type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>

async function ownerOf(db: Database, session: Session): Promise<Login> {
  const { empresa_id, usuario_id, username, papel_usuario, quiosque_id, quiosque_nome, papel_quiosque } = session
  if (quiosque_id !== null && quiosque_nome !== null && papel_quiosque !== null)
    return {
      usuarioId: null,
      username: QUIOSQUE_PREFIXO + quiosque_nome,
      quiosque: { id: quiosque_id, nome: quiosque_nome },
      papel: papel_quiosque,
      empresaId: empresa_id,
      escopo: await scopeOf(db, papel_quiosque, empresa_id),
      escondePlacas: await hidesPlates(db, papel_quiosque, empresa_id),
    }
  if (usuario_id === null || papel_usuario === null) throw new Error(`session ${session.sessao_id} without an owner`)
  const factor = { empresa_id, segundo_fator_ativo: session.segundo_fator_ativo ?? 0 }
  const faltaSegundoFator = await mustEnrol(db, factor)
  return {
    usuarioId: usuario_id,
    username,
    papel: papel_usuario,
    empresaId: empresa_id,
    escopo: await scopeOf(db, papel_usuario, empresa_id),
    escondePlacas: await hidesPlates(db, papel_usuario, empresa_id),
    ...(faltaSegundoFator && { faltaSegundoFator }),
  }
}
