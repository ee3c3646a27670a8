import { VigiaError } from '@vigia/contracts/errors'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { Bus } from '../../../adapters/bus.ts'
import type { Clock } from '../../../adapters/clock.ts'
import { auditIncidente } from '../../../audit/audit-incidente.ts'
import { changeIncidente, insertAlertas, lockIncidente } from '../../../db/incidentes.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerName, inScope, notFound, requireWork } from '../../../http/caller.ts'
import { incidenteFor } from '../eventos/mask-plates.ts'
import { requireIncidente } from './require-incidente.ts'
import { viewIncidente } from './view-incidente.ts'

interface TakeDeps {
  readonly db: Database
  readonly clock: Clock
  readonly bus: Bus
}

/**
 * Records that the caller takes care of an incidente, also in place of somebody else; or that nobody does.
 * @throws VigiaError `proibido`, `nao_encontrado`; `conflito` if it has an answer
 */
export async function takeIncidente(
  { db, clock, bus }: TakeDeps,
  caller: Caller,
  id: number,
  assumido: boolean,
): Promise<Incidente> {
  requireWork(caller)
  const por = assumido ? callerName(caller) : null
  await transact(db, async (tx) => {
    const before = await lockIncidente(tx, id)
    if (!before || !inScope(caller, before.empresa_id)) throw notFound('Incidente não encontrado.')
    if (before.resposta !== null) throw new VigiaError('conflito', { detalhe: 'Este incidente já tem resposta.' })
    if (before.assumido_por === por) return
    const now = clock.now()
    const change = { assumido_por: por, assumido_em: por === null ? null : now }
    await auditIncidente(tx, now, caller, { acao: 'alterar', antes: before, depois: { ...before, ...change } })
    await insertAlertas(tx, [await changeIncidente(tx, before, change, now)])
  })
  bus.publish({ tipo: 'alertas' })
  return incidenteFor(caller, viewIncidente(await requireIncidente(db, caller, id)))
}
