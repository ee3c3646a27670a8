import type { Evento, EventoDetalhe, EvidenciaVista, Veredito } from '@vigia/contracts/eventos'
import { eventoSchema } from '@vigia/contracts/eventos'
import type { ClipeOfEvento } from '../../../db/clipes.ts'
import type { EvidenciaRow } from '../../../db/evidencias.ts'
import { viewUncertain } from '../../../db/hora-incerta.ts'
import { type PreservacaoRow, viewPreservacao } from '../../../db/preservacoes.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { clipeState, clipeText } from './clipe-text.ts'

const { caixas, detalhes, rotulos, tipo } = eventoSchema.shape
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/** Returns an event as lists and the alert stream show it. */
export const viewEvento = (row: EventoRow): Evento => ({
  id: row.id,
  empresa_id: row.empresa_id,
  camera_id: row.camera_id,
  camera_nome: row.camera_nome,
  tipo: tipo.parse(row.tipo),
  gravidade: row.gravidade,
  ocorrido_em: instant(row.ocorrido_em),
  ...viewUncertain(row),
  recebido_em: instant(row.recebido_em),
  confianca: row.confianca,
  rotulos: rotulos.parse(JSON.parse(row.rotulos_json)),
  caixas: caixas.parse(JSON.parse(row.caixas_json)),
  zona: row.zona,
  veredito: viewVerdict(row),
  crop_url: row.crop_path === null ? null : `/api/v1/crops/${row.id}`,
  clip_url: row.clipe_em === null ? null : `/api/v1/events/${row.id}/clip`,
  detalhes: detalhes.parse(JSON.parse(row.detalhes_json)),
  prova: row.prova === 1,
  incidente_id: row.incidente_id,
})

/** Adds the path of the object in `detalhes.trajeto`, and the further pictures, which are too long for lists. */
export function viewEventoDetalhe(
  row: EventoRow,
  evidencias: readonly EvidenciaRow[],
  clipe: ClipeOfEvento | undefined,
  preservacao: PreservacaoRow | undefined,
  upload: Parameters<typeof clipeText>[2],
): EventoDetalhe {
  const event = viewEvento(row)
  const trajeto: unknown = row.trajeto_json === null ? undefined : JSON.parse(row.trajeto_json)
  return {
    ...event,
    detalhes: { ...event.detalhes, ...(trajeto !== undefined && { trajeto }) },
    evidencias: evidencias.map(viewEvidencia),
    clip_detalhe: clipeText(row, clipe, upload),
    clip_estado: clipeState(row, clipe),
    strip_url: clipe?.clipe?.tira ? `/api/v1/events/${row.id}/strip` : null,
    clip_deslocamento_ms: clipe?.clipe ? clipe.deslocamento_ms : null,
    crop_path: row.crop_path,
    preservacao: preservacao ? viewPreservacao(preservacao) : null,
    revisao: viewReview(row),
  }
}

const viewEvidencia = (row: EvidenciaRow): EvidenciaVista => ({
  ordem: row.ordem,
  fonte: row.fonte,
  dt_ms: row.dt_ms,
  redetectada: row.redetectada === 1,
  caixas: caixas.parse(JSON.parse(row.caixas_json)),
  url: `/api/v1/crops/${row.evento_id}?evidencia=${row.ordem}`,
})

/** The review of a person; null: none. */
export const viewReview = (
  row: Pick<EventoRow, 'revisao_rotulo' | 'revisao_revisor' | 'revisado_em'>,
): EventoDetalhe['revisao'] =>
  row.revisao_rotulo === null || row.revisado_em === null
    ? null
    : {
        rotulo_humano: row.revisao_rotulo,
        revisor: row.revisao_revisor ?? '',
        revisado_em: instant(row.revisado_em),
      }

const viewVerdict = (row: EventoRow): Veredito | null =>
  row.veredito_decisao === null
    ? null
    : {
        decisao: row.veredito_decisao,
        certeza: row.veredito_certeza,
        confianca: row.veredito_confianca ?? 0,
        motivo: row.veredito_motivo ?? '',
        fonte: row.veredito_fonte ?? '',
        verificado_em: instant(row.verificado_em ?? row.recebido_em),
      }
