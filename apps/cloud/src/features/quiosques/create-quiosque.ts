import { invalid, VigiaError } from '@vigia/contracts/errors'
import { QUIOSQUE_S, type Quiosque, type QuiosqueCreate } from '@vigia/contracts/quiosques'
import { auditQuiosque } from '../../audit/audit-quiosque.ts'
import { isUniqueViolation } from '../../db/errors.ts'
import { lockEmpresa } from '../../db/locks.ts'
import type { Database } from '../../db/open.ts'
import { transact } from '../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../http/caller.ts'
import { beginSession, type SessionOrigin } from '../sessoes/begin-session.ts'
import { endSession } from '../sessoes/log-out.ts'
import type { QuiosquesDeps } from './deps.ts'
import { countQuiosques, deleteExpired, insertQuiosque } from './store.ts'
import { viewQuiosque } from './view-quiosque.ts'

/** Largest number of quiosques of one Empresa. */
const QUIOSQUES_MAX = 100

/**
 * Turns the screen of the request into a quiosque: its browser gets the session of the quiosque in place of the
 * caller's, which ends. A session in a header stays, because a program keeps it.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope), `validacao` (no Empresa), `conflito` (name
 * taken, too many)
 */
export async function createQuiosque(
  { db, clock, sessionEnded }: QuiosquesDeps,
  caller: Caller,
  input: QuiosqueCreate,
  origin: SessionOrigin,
): Promise<{ readonly quiosque: Quiosque; readonly token: string }> {
  requireWrite(caller)
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Diga de qual Empresa é a tela', 'missing')
  requireScope(caller, empresaId)
  const now = clock.now()
  const expira_em = now + QUIOSQUE_S * 1000
  const insert = transact(db, async (tx) => {
    if (!(await lockEmpresa(tx, empresaId))) throw notFound('Empresa não encontrada.')
    await deleteExpired(tx, empresaId, now)
    await requireSpace(tx, empresaId, now)
    const { nome, papel } = input
    const row = await insertQuiosque(tx, {
      ...{ nome, papel, empresa_id: empresaId, criado_por: caller.username ?? '' },
      ...{ criado_em: now, expira_em },
    })
    const dono = { usuario_id: null, quiosque_id: row.id }
    const token = await beginSession(tx, now, { dono, origin, renovaAte: expira_em })
    await auditQuiosque(tx, now, caller, { antes: null, depois: row })
    if (caller.origem.canal === 'painel') await endSession(tx, now, caller, origin.host)
    return { quiosque: viewQuiosque({ ...row, visto_em: now }), token }
  })
  const created = await insert.catch((error) => {
    throw isUniqueViolation(error) ? nameTaken(error) : error
  })
  sessionEnded()
  return created
}

async function requireSpace(tx: Database, empresaId: number, now: number): Promise<void> {
  if ((await countQuiosques(tx, [empresaId], now)) >= QUIOSQUES_MAX)
    throw new VigiaError('conflito', {
      detalhe: `A Empresa já tem ${QUIOSQUES_MAX} telas em modo quiosque, o máximo. Encerre uma que não usa mais.`,
    })
}

const nameTaken = (cause: unknown) =>
  new VigiaError('conflito', {
    detalhe: 'A Empresa já tem uma tela com este nome. Escolha outro, ou encerre a antiga.',
    cause,
  })
