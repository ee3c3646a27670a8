import type { Pendencia } from '@vigia/contracts/pendencias'
import { z } from 'zod'
import { type StoppedRow, type Subjects, tipoOf } from './store.ts'

const instant = (epochMs: number): string => new Date(epochMs).toISOString()
/** The part of a message that identifies its event. */
const aboutSchema = z.object({
  evento: z.object({ id: z.int() }).optional(),
  capa: z.object({ id: z.int() }).optional(),
  camera: z.object({ nome: z.string() }).nullish(),
})

export function viewPendencia(row: StoppedRow, subjects: Subjects): Pendencia {
  const tipo = tipoOf(row.tipo)
  return {
    id: row.id,
    tipo,
    empresa_id: row.empresa_id,
    ...(tipo === 'verificacao' ? ofEvent(row, subjects) : ofDelivery(row, subjects)),
    motivo: row.erro ?? 'A última tentativa falhou.',
    tentativas: row.tentativas,
    criada_em: instant(row.criado_em),
    parada_em: instant(row.erro_em ?? row.criado_em),
    proxima_em: row.em === null ? null : instant(row.em),
  }
}

type About = Pick<Pendencia, 'evento_id' | 'canal_id' | 'camera_nome'>

function ofEvent({ chave }: StoppedRow, { events }: Subjects): About {
  const id = Number(chave)
  return { evento_id: id, canal_id: null, camera_nome: events.get(id)?.camera_nome ?? null }
}

function ofDelivery({ chave, empresa_id }: StoppedRow, { deliveries }: Subjects): About {
  const delivery = deliveries.get(Number(chave))
  // The name of a canal that has moved to another Empresa is hidden.
  if (!delivery || delivery.empresa_id !== empresa_id) return { evento_id: null, canal_id: null, camera_nome: null }
  const { data } = aboutSchema.safeParse(JSON.parse(delivery.mensagem_json))
  return {
    evento_id: data?.evento?.id ?? data?.capa?.id ?? null,
    canal_id: delivery.canal_id,
    camera_nome: data?.camera?.nome ?? null,
  }
}
