import { type ItemResumo, MAX_ITENS_RESUMO } from '@vigia/contracts/mensagens'
import type { MensagemResumo } from '../../../adapters/senders/interface.ts'
import { canalFields, destinationsOf } from '../../../db/canal-fields.ts'
import type { Database } from '../../../db/open.ts'
import type { CanalRow, EmpresaRow } from '../../../db/rows.ts'
import { enqueueWork } from '../../../db/work-queue/queue.ts'
import { viewEvento } from '../../eventos/public.ts'
import { type AvisoRow, changeAviso, clearDigest, listConfirmed, listToDigest, openAviso } from './avisos-store.ts'
import { passesFilters } from './canal-filter.ts'
import { periodOf } from './carry.ts'
import { insertDeliveries, isQueued } from './delivery-store.ts'
import { nextDigestAt } from './digest-time.ts'
import { describeEvents } from './group-message.ts'
import { messageId } from './message-id.ts'

interface Digested {
  readonly canal: CanalRow
  readonly empresa: EmpresaRow
}

/** Puts an incidente, whose row is locked, on the list of the next digest of a canal with `resumo_hora`. */
export async function listInDigest(
  tx: Database,
  { canal, empresa, incidenteId }: Digested & { readonly incidenteId: number },
  now: number,
): Promise<void> {
  const aviso = await openAviso(tx, canal.id, incidenteId, now)
  if (aviso.a_resumir === 0) await changeAviso(tx, aviso, { a_resumir: 1 })
  await enqueueDigest(tx, { canal, empresa }, now)
}

/** Adds the timer of the next digest. */
export async function enqueueDigest(tx: Database, { canal, empresa }: Digested, now: number): Promise<void> {
  if (canal.resumo_hora === null) return
  const em = nextDigestAt(canal.resumo_hora, empresa.fuso_horario, now)
  const chave = `resumo:${canal.id}:${em}`
  await enqueueWork(tx, [{ tipo: 'mensagem', chave, empresaId: canal.empresa_id, prioridade: 0, em }], now)
}

/**
 * Sends the digest of the timer for `em`. Without an incidente nothing is sent. A timer of an earlier hour or time zone
 * only adds the one in force.
 */
export async function sendDigest(tx: Database, { canal, empresa }: Digested, em: number, now: number): Promise<void> {
  const avisos = await listToDigest(tx, canal.id)
  const incidentes = avisos.map(({ incidente_id }) => incidente_id)
  if (canal.resumo_hora === null) return clearDigest(tx, canal.id, incidentes)
  if (nextDigestAt(canal.resumo_hora, empresa.fuso_horario, em - 1) !== em)
    return enqueueDigest(tx, { canal, empresa }, now)
  const id = messageId('resumo', canal.id, em)
  // An incidente that was listed at the same moment waits for the next day.
  if (await isQueued(tx, canal.id, id)) return enqueueDigest(tx, { canal, empresa }, now)
  await clearDigest(tx, canal.id, incidentes)
  const items: ItemResumo[] = []
  for (const aviso of avisos) {
    const item = await itemOf(tx, canal, aviso)
    if (item) items.push(item)
  }
  if (items.length === 0) return
  const mensagem: MensagemResumo = {
    tipo: 'resumo',
    id,
    enviadoEm: now,
    motivo: 'diario',
    camera: null,
    empresa: { id: empresa.id, nome: empresa.nome, fusoHorario: empresa.fuso_horario },
    ...periodOf(items),
    total: items.length,
    incidentes: items.slice(0, MAX_ITENS_RESUMO),
  }
  await insertDeliveries(tx, canal, { mensagem, destinos: destinationsOf(canal) }, now)
}

/** null: none of its events is reported by the canal any more. */
async function itemOf(tx: Database, canal: CanalRow, aviso: AvisoRow): Promise<ItemResumo | null> {
  const fields = canalFields(canal)
  const events = (await listConfirmed(tx, aviso.incidente_id)).filter((row) => passesFilters(fields, viewEvento(row)))
  if (events.length === 0) return null
  return { ...describeEvents(events), mensagem_id: aviso.mensagem_id, avisado: aviso.mensagens > 0 }
}
