import { type Atendimento, type Incidente, incidenteSchema } from '@vigia/contracts/incidentes'
import { situacoesPlaca } from '@vigia/contracts/passagens'
import { z } from 'zod'
import { viewUncertain } from '../../../db/hora-incerta.ts'
import { type IncidenteWithCover, splitTipos } from '../../../db/incidentes.ts'
import { breaksSilence } from '../../../db/silencios.ts'
import { isOfPlates } from './plate-key.ts'

const { tipos: tiposSchema } = incidenteSchema.shape
const instant = (epochMs: number): string => new Date(epochMs).toISOString()

/** Returns an incidente with its plate in full (`incidenteFor` masks it). */
export function viewIncidente(row: IncidenteWithCover): Incidente {
  const tipos = tiposSchema.parse(splitTipos(row.tipos))
  return {
    id: row.id,
    empresa_id: row.empresa_id,
    camera_id: row.camera_id,
    camera_nome: row.camera_nome,
    tipos,
    gravidade: row.gravidade,
    inicio: instant(row.inicio),
    fim: instant(row.fim),
    ...viewUncertain(row),
    eventos: row.eventos,
    pendentes: row.pendentes,
    revisados: row.revisados,
    veredito: row.situacao,
    certeza: row.situacao === 'confirmado' ? row.certeza : null,
    capa_evento_id: row.capa_evento_id,
    capa_url: coverUrl(row),
    placa: plateOf(row),
    silenciado: row.silenciado === 1 && !tipos.some((tipo) => breaksSilence({ tipo, gravidade: row.gravidade })),
    prova: row.prova === 1,
    assumido: viewTaken(row),
    atendimento: viewAnswer(row),
    versao: row.versao,
  }
}

const detalhesSchema = z
  .object({
    placa: z.string().nullish(),
    lista: z.enum(situacoesPlaca).nullish().catch(null),
    dono: z.string().nullish(),
    nota: z.string().nullish(),
  })
  .loose()

/** The plate of the cover, as the event has it now: a correction changes it. */
function plateOf({ capa_tipo, capa_detalhes_json }: IncidenteWithCover): Incidente['placa'] {
  if (capa_tipo === null || capa_detalhes_json === null || !isOfPlates(capa_tipo)) return null
  const { placa, lista = null, dono = null, nota = null } = detalhesSchema.parse(JSON.parse(capa_detalhes_json))
  return placa ? { texto: placa, lista, dono, nota } : null
}

function coverUrl({ capa_evento_id, capa_quadro_path, capa_crop_path }: IncidenteWithCover): string | null {
  if (capa_quadro_path !== null) return `/api/v1/crops/${capa_evento_id}?imagem=quadro`
  return capa_crop_path === null ? null : `/api/v1/crops/${capa_evento_id}`
}

const viewTaken = ({ assumido_por, assumido_em }: IncidenteWithCover): Incidente['assumido'] =>
  assumido_por === null || assumido_em === null ? null : { por: assumido_por, em: instant(assumido_em) }

/** The last answer; null: none. */
const viewAnswer = (
  row: Pick<IncidenteWithCover, 'resposta' | 'nota' | 'atendido_por' | 'atendido_em'>,
): Atendimento | null =>
  row.resposta === null || row.atendido_em === null
    ? null
    : { resposta: row.resposta, nota: row.nota, revisor: row.atendido_por ?? '', atendido_em: instant(row.atendido_em) }
