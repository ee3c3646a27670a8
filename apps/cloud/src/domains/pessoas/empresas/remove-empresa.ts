import type { EmpresaRemocao, EmpresaRemovida } from '@vigia/contracts/empresas'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { type LockedLineage, lockLineage } from '../../../db/lineage.ts'
import { camerasOfCanal, listMqttCanais } from '../../../db/mqtt-canais.ts'
import type { Database } from '../../../db/open.ts'
import { type EndedCanal, orderTakeBack } from '../../../db/recolhimentos.ts'
import { transact } from '../../../db/transaction.ts'
import { findUsuario } from '../../../db/usuarios.ts'
import { enqueueWork, removeWork } from '../../../db/work-queue/queue.ts'
import { type Caller, isAbove, notFound, requireLogin, requireScope, requireWrite } from '../../../http/caller.ts'
import { removeEdgesOf } from '../../locais/public.ts'
import { type CheckFactorDeps, checkFactor } from '../segundo-fator/check-factor.ts'
import { type PasswordDeps, requirePassword } from '../usuarios/require-password.ts'
import { deleteAccess, deleteEquipment, hasChildren, markRemoved } from './removal-store.ts'
import { edgesOfEmpresa } from './store.ts'

export interface RemoveEmpresaDeps extends PasswordDeps, CheckFactorDeps {
  readonly db: Database
  readonly clock: Clock
  readonly desired: { changed(edgeId: number): void }
  /** The list of certificates in force has changed. */
  readonly allowed: { changed(): Promise<void> }
  readonly sessionEnded: () => void
  /** There is work for the worker of removals. */
  readonly wakeRemoval: () => void
}

/**
 * Deletes an Empresa without children. Logins, sessions, agents, invitations, keys, quiosques, edges, cameras,
 * gravadores and canais end at once. The work queue deletes eventos and pictures. The audit log keeps its records. The
 * record of the deletion belongs to the Empresa above, whose administrators see it.
 * @throws VigiaError `proibido` (not from above), `nao_encontrado`, `conflito` (it has children), `validacao` (wrong
 * password or code), `muitas_requisicoes`
 */
export async function removeEmpresa(
  deps: RemoveEmpresaDeps,
  caller: Caller,
  id: number,
  proof: EmpresaRemocao,
): Promise<EmpresaRemovida> {
  const { db, clock } = deps
  requireWrite(caller)
  const usuarioId = requireLogin(caller)
  requireScope(caller, id)
  if (!isAbove(caller, id))
    throw new VigiaError('proibido', {
      detalhe: 'Só quem administra a Empresa acima desta, ou o operador, a remove. Peça a um deles.',
    })
  await requireProof(deps, caller, usuarioId, proof)
  const now = clock.now()
  const done = await transact(db, async (tx) => {
    const lineage = await lockLineage(tx, id)
    if (!lineage) throw notFound('Empresa não encontrada.')
    if (await hasChildren(tx, id)) throw hasBelow()
    return beginRemoval(tx, lineage, caller, now)
  })
  await announceRemoval(deps, done)
  return done.removida
}

export const hasBelow = () =>
  new VigiaError('conflito', {
    detalhe: 'Há Empresas abaixo desta, ou a remoção de uma delas não terminou. Remova-as antes.',
  })

interface BegunRemoval {
  readonly removida: EmpresaRemovida
  /** Edges with a new desired state. */
  readonly edges: readonly number[]
  /** Certificates were revoked. */
  readonly certificates: boolean
}

/** Ends all that acts in a locked Empresa without children, and queues the deletion of its eventos. */
export async function beginRemoval(
  tx: Database,
  { empresa }: LockedLineage,
  caller: Caller,
  now: number,
): Promise<BegunRemoval> {
  const { id, nome, empresa_pai_id, fuso_horario } = empresa
  await deleteAccess(tx, id)
  const serving = await edgesOfEmpresa(tx, id)
  const ended: EndedCanal[] = []
  for (const canal of await listMqttCanais(tx, id)) ended.push({ canal, cameras: await camerasOfCanal(tx, canal) })
  await deleteEquipment(tx, id)
  const removed = await removeEdgesOf(tx, id, now)
  const others = serving.filter((edgeId) => !removed.includes(edgeId))
  for (const edgeId of others) await raiseDesiredVersion(tx, edgeId)
  await markRemoved(tx, id, now)
  await orderTakeBack(tx, ended, now)
  await removeWork(tx, id)
  await enqueueWork(tx, [{ tipo: 'remocao', chave: String(id), empresaId: id, prioridade: 0 }], now)
  await auditChange(tx, now, caller, {
    acao: 'remover',
    objeto: 'empresa',
    id,
    nome,
    empresaId: empresa_pai_id,
    antes: { nome, empresa_pai_id, fuso_horario },
    depois: null,
  })
  const removida = { empresa_id: id, nome, pedida_em: new Date(now).toISOString() }
  return { removida, edges: [...removed, ...others], certificates: removed.length > 0 }
}

/** Notifies the other parts of the process, after the transaction of `beginRemoval`. */
export async function announceRemoval(
  deps: Pick<RemoveEmpresaDeps, 'desired' | 'allowed' | 'sessionEnded' | 'wakeRemoval'>,
  { edges, certificates }: BegunRemoval,
): Promise<void> {
  deps.sessionEnded()
  for (const edgeId of edges) deps.desired.changed(edgeId)
  deps.wakeRemoval()
  if (certificates) await deps.allowed.changed()
}

/** The password of the caller again, and its code. Errors are no 401, which would mean the end of the session. */
async function requireProof(
  deps: RemoveEmpresaDeps,
  { origem }: Caller,
  usuarioId: number,
  { senha, codigo }: EmpresaRemocao,
): Promise<void> {
  const usuario = await findUsuario(deps.db, usuarioId)
  if (!usuario) throw notFound('Login não encontrado.')
  await requirePassword(deps, usuario, { senha, campo: 'senha', endereco: origem.endereco })
  await checkFactor(deps, usuario, codigo, origem.endereco).catch((error) => {
    if (!(error instanceof VigiaError) || !error.segundoFator) throw error
    throw invalid(['body', 'codigo'], error.detalhe, 'wrong_code')
  })
}
