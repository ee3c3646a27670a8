import { invalid, VigiaError } from '@vigia/contracts/errors'
import { QUIOSQUE_S, type Quiosque, type QuiosqueCreate } from '@vigia/contracts/quiosques'
import { auditQuiosque } from '../../../audit/audit-quiosque.ts'
import { isUniqueViolation } from '../../../db/errors.ts'
import { lockEmpresa, lockRow } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireLogin, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireReach } from '../../../scope/require-reach.ts'
import { beginSession, type SessionOrigin } from '../sessoes/begin-session.ts'
import { endSession } from '../sessoes/log-out.ts'
import type { QuiosquesDeps } from './deps.ts'
import { deleteExpired, insertQuiosque, quiosquesOf } from './store.ts'
import { viewQuiosque } from './view-quiosque.ts'

/** Largest number of quiosques of one Empresa. */
export const QUIOSQUES_MAX = 100

/**
 * Turns the screen of the request into a quiosque: its browser gets the session of the quiosque in place of the
 * caller's, which ends. Only a cookie, which the access check accepts from the same origin alone, comes from a browser.
 * The lock on the login orders this with a change of its password.
 * @throws VigiaError `proibido` (also without a cookie), `nao_autenticado` (the session ended meanwhile),
 * `nao_encontrado` (Empresa out of scope), `validacao` (no Empresa), `conflito` (name
 * taken, too many)
 */
export async function createQuiosque(
  { db, clock, sessionEnded }: QuiosquesDeps,
  caller: Caller,
  input: QuiosqueCreate,
  origin: SessionOrigin,
): Promise<{ readonly quiosque: Quiosque; readonly token: string }> {
  requireWrite(caller)
  const usuario_id = requireLogin(caller)
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Diga de qual Empresa é a tela', 'missing')
  requireScope(caller, empresaId)
  if (caller.origem.canal !== 'painel') throw browserOnly()
  const alcance = await requireReach(db, caller, { papel: input.papel, empresa_id: empresaId, alcance: input.alcance })
  const now = clock.now()
  const expira_em = now + QUIOSQUE_S * 1000
  const insert = transact(db, async (tx) => {
    await lockRow(tx, 'usuarios', usuario_id)
    if (!(await endSession(tx, now, caller, origin.host))) throw ended()
    if (!(await lockEmpresa(tx, empresaId))) throw notFound('Empresa não encontrada.')
    await deleteExpired(tx, empresaId, now)
    await requireSpace(tx, empresaId, now)
    const { nome, papel } = input
    const row = await insertQuiosque(tx, {
      nome,
      papel,
      alcance,
      empresa_id: empresaId,
      usuario_id,
      criado_por: caller.username ?? '',
      criado_em: now,
      expira_em,
    })
    const dono = { usuario_id: null, quiosque_id: row.id }
    const token = await beginSession(tx, now, { dono, origin, renovaAte: expira_em })
    await auditQuiosque(tx, now, caller, { antes: null, depois: row })
    return { quiosque: viewQuiosque({ ...row, visto_em: now }), token }
  })
  const created = await insert.catch((error) => {
    throw isUniqueViolation(error) ? nameTaken(error) : error
  })
  sessionEnded()
  return created
}

async function requireSpace(tx: Database, empresaId: number, now: number): Promise<void> {
  if ((await quiosquesOf(tx, { empresas: [empresaId], usuarioId: null }, now).count()) >= QUIOSQUES_MAX)
    throw new VigiaError('conflito', {
      detalhe: `A Empresa já tem ${QUIOSQUES_MAX} telas em modo quiosque, o máximo. Encerre uma que não usa mais.`,
    })
}

const nameTaken = (cause: unknown) =>
  new VigiaError('conflito', {
    detalhe: 'A Empresa já tem uma tela com este nome. Escolha outro, ou encerre a antiga.',
    cause,
  })

const browserOnly = () =>
  new VigiaError('proibido', {
    detalhe: 'Uma tela em modo quiosque se faz no navegador dela: entre no painel nesse navegador e abra Quiosques.',
  })

const ended = () =>
  new VigiaError('nao_autenticado', { detalhe: 'Esta sessão acabou. Entre outra vez com usuário e senha.' })
