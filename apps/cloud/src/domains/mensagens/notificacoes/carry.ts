import { type ItemResumo, MAX_ITENS_RESUMO } from '@vigia/contracts/mensagens'
import type {
  Mensagem,
  MensagemFimIncidente,
  MensagemIncidente,
  MensagemResumo,
} from '../../../adapters/senders/interface.ts'
import type { Database } from '../../../db/open.ts'
import { backlogDue, hasPiledUp } from '../delivery/late-messages.ts'
import { backlogSpan, type EntregaRow, firstMessages, listWaiting } from './carry-store.ts'
import { messageId } from './message-id.ts'

/** Time until which a message about backlog waits for more of it; null: it is due. */
export async function backlogWait(db: Database, row: EntregaRow, now: number): Promise<number | null> {
  if (row.atrasada === 0) return null
  const { oldest, newest } = await backlogSpan(db, row)
  const due = backlogDue(oldest, newest)
  return now < due ? due : null
}

/** The other waiting messages to the same destination that a delivery carries in a summary; empty: it is sent alone. */
export async function listCarried(db: Database, row: EntregaRow, now: number): Promise<EntregaRow[]> {
  if (row.resumivel === 0) return []
  const isPiledUp = hasPiledUp(row.criada_em, now)
  if (!isPiledUp && row.atrasada === 0) return []
  return listWaiting(db, row, { backlogOnly: !isPiledUp, limit: MAX_ITENS_RESUMO - 1 })
}

/** One summary in place of messages of one canal about incidentes. Equal messages give an equal id. */
export async function summaryOf(db: Database, rows: readonly EntregaRow[], now: number): Promise<MensagemResumo> {
  const mensagens = rows
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ mensagem_json }) => {
      const mensagem = JSON.parse(mensagem_json) as Mensagem
      return 'capa' in mensagem ? [mensagem] : []
    })
  const [first] = mensagens
  if (!first) throw new Error('a summary without an incidente')
  const own = Map.groupBy(mensagens, ({ incidente }) => incidente.id ?? 0)
  const firsts = await firstMessages(db, rows[0]?.canal_id ?? 0, [...own.keys()])
  const incidentes = [...own].map(([id, some]) => itemOf(some, firsts.get(id)))
  return {
    tipo: 'resumo',
    id: messageId('resumo', ...mensagens.map(({ id }) => id)),
    enviadoEm: now,
    empresa: first.empresa,
    camera: null,
    motivo: 'atraso',
    ...periodOf(incidentes),
    total: incidentes.length,
    incidentes,
  }
}

/** From the earliest begin to the latest end of at least one item. */
export function periodOf(items: readonly ItemResumo[]): Pick<MensagemResumo, 'inicio' | 'fim'> {
  const times = items.flatMap(({ inicio, fim }) => [inicio, fim]).toSorted()
  return { inicio: times[0] ?? '', fim: times.at(-1) ?? '' }
}

/**
 * @param mensagens all about one incidente, oldest first: the last one describes it
 * @param firstId id of its first message, which may have arrived before; undefined: not known any more
 */
function itemOf(
  mensagens: readonly (MensagemIncidente | MensagemFimIncidente)[],
  firstId: string | undefined,
): ItemResumo {
  const [first] = mensagens
  const last = mensagens.at(-1)
  if (!first || !last) throw new Error('an item without a message')
  return { ...last.incidente, mensagem_id: firstId ?? first.id, avisado: true }
}
