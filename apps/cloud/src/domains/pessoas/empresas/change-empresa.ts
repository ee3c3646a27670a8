import type { Empresa, EmpresaPatch } from '@vigia/contracts/empresas'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import { lanProblem } from '../../../adapters/senders/lan-networks.ts'
import { auditEmpresa } from '../../../audit/audit-empresa.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { findEmpresa, subtreeIds } from '../../../db/empresas.ts'
import { isUniqueViolation } from '../../../db/errors.ts'
import { lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { makersWithoutFactor } from '../../../db/quiosques.ts'
import type { EmpresaRow } from '../../../db/rows.ts'
import { deleteSessionsOn } from '../../../db/sessoes.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, isAbove, notFound, requireLogin, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireEffect } from '../../../http/effects.ts'
import { moveToServing } from '../../locais/public.ts'
import { revokeAuthorizations } from '../autorizacoes/revoke-authorizations.ts'
import { effectiveLimits } from '../quotas/effective-limits.ts'
import { endUnentitledQuiosques, isRequired } from '../segundo-fator/requirement.ts'
import { changedLimits, requireLimitRights } from './set-limits.ts'
import { edgesOfEmpresa, updateEmpresa } from './store.ts'
import { viewEmpresa } from './view-empresa.ts'

export interface ChangeEmpresaDeps {
  readonly db: Database
  readonly clock: Clock
  readonly desired: { changed(edgeId: number): void }
  readonly dominioNeutro: string | null
  /** Emitted when sessions end early, so that open streams check their sessions. */
  readonly sessionEnded: () => void
}

/**
 * Changes the fields that were sent. A new time zone moves the Agendas of its cameras, so their edges get a new desired
 * state. A new host ends the sessions and agent authorizations of the old host.
 * @throws VigiaError `proibido`: role; the camera limit by the own administrator; another limit, the host, the
 * networks or the local edge without the operator role. `nao_encontrado`. `validacao`: a limit above the parent's, or a
 * network that is not private. `conflito`: host taken, or the cameras do not fit the local edge.
 */
export async function changeEmpresa(
  deps: ChangeEmpresaDeps,
  caller: Caller,
  id: number,
  patch: EmpresaPatch,
): Promise<Empresa> {
  requireWrite(caller)
  requireScope(caller, id)
  requireOperatorFields(caller, patch)
  requireLimitRights(caller, id, patch)
  if (patch.host != null && patch.host === deps.dominioNeutro) throw hostTaken()
  if (patch.exigir_segundo_fator !== undefined) await requireFactorRight(deps.db, caller, id, patch)

  const done = await change(deps, caller, id, patch).catch((error) => {
    throw isUniqueViolation(error) ? hostTaken(error) : error
  })
  for (const edgeId of done.edges) deps.desired.changed(edgeId)
  if (done.sessionsEnded) deps.sessionEnded()
  return viewEmpresa(done.row, effectiveLimits([done.row, ...done.above]))
}

/** Only the operator controls the DNS names of the installation, and which of its networks a customer may reach. */
function requireOperatorFields(caller: Caller, { host, usa_edge_local, redes_permitidas }: EmpresaPatch): void {
  if (caller.escopo !== 'tudo' && usa_edge_local !== undefined)
    throw new VigiaError('proibido', { detalhe: 'Só o operador da instalação decide quem usa a caixa dela.' })
  if (caller.escopo !== 'tudo' && host !== undefined)
    throw new VigiaError('proibido', { detalhe: 'Só o operador da instalação muda o domínio de uma Empresa.' })
  if (redes_permitidas === undefined) return
  if (caller.escopo !== 'tudo')
    throw new VigiaError('proibido', { detalhe: 'Só o operador da instalação muda as redes permitidas.' })
  for (const [index, rede] of redes_permitidas.entries()) {
    const problem = lanProblem(rede)
    if (problem !== null) throw invalid(['body', 'redes_permitidas', index], problem)
  }
}

/**
 * An API key must not change rules of logins. An Empresa cannot lift a requirement of its parent. null needs no right:
 * it restores the parent's value.
 */
async function requireFactorRight(db: Database, caller: Caller, id: number, patch: EmpresaPatch): Promise<void> {
  requireLogin(caller)
  if (patch.exigir_segundo_fator !== false || caller.escopo === 'tudo' || isAbove(caller, id)) return
  const above = (await findEmpresa(db, id))?.empresa_pai_id ?? null
  if (await isRequired(db, above))
    throw new VigiaError('proibido', {
      detalhe: 'A Empresa acima exige o segundo fator. Só quem a administra pode dispensá-lo aqui.',
    })
}

const hostTaken = (cause?: unknown) =>
  new VigiaError('conflito', { detalhe: 'Este domínio já é de outra Empresa ou da instalação. Use outro.', cause })

const change = ({ db, clock }: ChangeEmpresaDeps, caller: Caller, id: number, patch: EmpresaPatch) =>
  transact(db, async (tx) => {
    const lineage = await lockLineage(tx, id)
    if (!lineage) throw notFound('Empresa não encontrada.')
    const { empresa: before, chain } = lineage
    const above = chain.slice(1)
    const changes = { ...changedColumns(before, patch), ...changedLimits(before, patch, above) }
    const zoned = changes.fuso_horario === undefined ? [] : await edgesOfEmpresa(tx, id)
    if (Object.keys(changes).length === 0) return { row: before, above, edges: [], sessionsEnded: false }

    if (changes.esconder_placas_vigilante === 0)
      requireEffect(caller, 'reveals', 'Mostrar placas de veículos aos vigilantes')
    if (changes.limite_bytes != null && changes.limite_bytes < (before.limite_bytes ?? Infinity))
      requireEffect(caller, 'destroys', 'Reduzir o limite de espaço da Empresa, que apaga as imagens acima dele')
    if (changes.usa_edge_local === 1)
      requireEffect(caller, 'grants', 'Deixar a Empresa usar a caixa local da instalação, e a rede dela')
    if (changes.redes_permitidas_json !== undefined)
      requireEffect(caller, 'grants', 'Mudar as redes que os canais da Empresa alcançam')
    const asks = changes.exigir_segundo_fator !== undefined
    const asked = asks && (await isRequired(tx, id))
    const row = await updateEmpresa(tx, id, changes)
    if (asked && !(await isRequired(tx, id))) requireEffect(caller, 'grants', 'Dispensar o segundo fator dos logins')
    await auditEmpresa(tx, clock.now(), caller, { antes: before, depois: row })
    for (const edgeId of zoned) await raiseDesiredVersion(tx, edgeId)
    const moved = changes.usa_edge_local === undefined ? [] : await moveToServing(tx, clock.now(), caller, id)
    const edges = [...new Set([...zoned, ...moved])]
    const hosts = changes.host === undefined ? [] : [before.host, row.host].filter((host) => host !== null)
    if (hosts.length > 0) {
      await deleteSessionsOn(tx, hosts)
      await revokeAuthorizations(tx, clock.now(), caller, { hosts }, 'O endereço da Empresa mudou.')
    }
    if (asks)
      for (const maker of await makersWithoutFactor(tx, [...(await subtreeIds(tx, id))]))
        await endUnentitledQuiosques(tx, clock.now(), caller, maker)
    // `asks` ends the open streams of logins that now need a second factor.
    return { row, above, edges, sessionsEnded: hosts.length > 0 || asks }
  })

/** The sent fields whose value differs from the stored one. */
function changedColumns(before: EmpresaRow, patch: EmpresaPatch) {
  const { nome, fuso_horario, host } = patch
  const redes = patch.redes_permitidas && JSON.stringify(patch.redes_permitidas)
  const exigir_segundo_fator = flag(patch.exigir_segundo_fator)
  const esconder_placas_vigilante =
    patch.esconder_placas_vigilante === undefined ? undefined : bit(patch.esconder_placas_vigilante)
  const usa_edge_local = patch.usa_edge_local === undefined ? undefined : bit(patch.usa_edge_local)
  return {
    ...(nome != null && nome !== before.nome && { nome }),
    ...(fuso_horario != null && fuso_horario !== before.fuso_horario && { fuso_horario }),
    ...(exigir_segundo_fator !== undefined &&
      exigir_segundo_fator !== before.exigir_segundo_fator && { exigir_segundo_fator }),
    ...(esconder_placas_vigilante !== undefined &&
      esconder_placas_vigilante !== before.esconder_placas_vigilante && { esconder_placas_vigilante }),
    ...(usa_edge_local !== undefined && usa_edge_local !== before.usa_edge_local && { usa_edge_local }),
    ...(host !== undefined && host !== before.host && { host }),
    ...(patch.limite_bytes !== undefined &&
      patch.limite_bytes !== before.limite_bytes && { limite_bytes: patch.limite_bytes }),
    ...(redes !== undefined && redes !== before.redes_permitidas_json && { redes_permitidas_json: redes }),
  }
}

const flag = (value: boolean | null | undefined): 0 | 1 | null | undefined =>
  typeof value === 'boolean' ? bit(value) : value

const bit = (value: boolean): 0 | 1 => (value ? 1 : 0)
