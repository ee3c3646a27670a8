import type { Entrega, EntregasQuery } from '@vigia/contracts/notificacoes'
import type { Mensagem } from '../../../adapters/senders/interface.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { cutPage, rowsOfPage } from '../../../http/page-cursor.ts'
import { countDeliveries, listDeliveries } from './delivery-list.ts'
import { requireCanal } from './require-canal.ts'

type Row = Awaited<ReturnType<typeof listDeliveries>>[number]

/** One page of the stored deliveries of a canal, newest first. @throws VigiaError `nao_encontrado` */
export async function listEntregas(
  { db }: { readonly db: Database },
  caller: Caller,
  canalId: number,
  { estado, ...page }: EntregasQuery,
): Promise<{ readonly entregas: Entrega[]; readonly total: number; readonly proximo: string | null }> {
  await requireCanal(db, caller, canalId)
  const which = { canalId, estado }
  const { shown, proximo } = cutPage(await listDeliveries(db, which, rowsOfPage(page)), page.limit)
  return { entregas: shown.map(viewEntrega), total: await countDeliveries(db, which), proximo }
}

const instant = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

function viewEntrega(row: Row): Entrega {
  const mensagem = JSON.parse(row.mensagem_json) as Mensagem
  // A test is sent at once; the opening of a gate has a queue of its own.
  if (mensagem.tipo === 'teste' || mensagem.tipo === 'portao.abrir')
    throw new Error(`delivery ${row.id} holds a message that is never stored`)
  const { id, destino, estado, criada_em, terminada_em, resumo_id, erro, erro_em } = row
  return {
    id,
    destino,
    estado,
    tipo: mensagem.tipo,
    resumo_id,
    erro,
    ...subjectOf(mensagem),
    camera_nome: mensagem.camera?.nome ?? null,
    edge_nome: 'edge' in mensagem ? (mensagem.edge?.nome ?? null) : null,
    criada_em: new Date(criada_em).toISOString(),
    terminada_em: instant(terminada_em),
    erro_em: instant(erro_em),
  }
}

function subjectOf(mensagem: Mensagem): Pick<Entrega, 'evento' | 'incidente_id' | 'incidentes'> {
  if (mensagem.tipo === 'resumo') return { evento: null, incidente_id: null, incidentes: mensagem.total }
  const shown = 'evento' in mensagem ? mensagem.evento : 'capa' in mensagem ? mensagem.capa : null
  return {
    evento: shown && { id: shown.id, tipo: shown.tipo },
    incidente_id: shown?.incidente_id ?? null,
    incidentes: null,
  }
}
