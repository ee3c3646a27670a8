import { type Camera, modoBConfigSchema } from '@vigia/contracts/cameras'
import { type Horarios, horarioOf } from '@vigia/contracts/horarios'
import { nomesIas } from '@vigia/contracts/ias'
import type { NomePerfil } from '@vigia/contracts/perfis'
import type { CameraRow } from './rows.ts'
import { zoneNamesOf } from './zone-names.ts'

/** Mode B with the defaults of fields that are newer than the stored settings; null: none. */
function modoBOf({ modo_b_config_json }: CameraRow): Camera['modo_b_config'] {
  if (modo_b_config_json === null) return null
  const stored = JSON.parse(modo_b_config_json) as Camera['modo_b_config']
  return modoBConfigSchema.safeParse(stored).data ?? stored
}

/**
 * The windows of each IA. `agenda_json` holds those that are one window of whole hours, and the smallest such window of
 * the others. `horarios_json` holds the others, and the holidays.
 */
export function horariosOf({ agenda_json, horarios_json }: Pick<CameraRow, 'agenda_json' | 'horarios_json'>): Horarios {
  const agenda = JSON.parse(agenda_json) as Camera['agenda']
  const { feriados = null, ...more } = JSON.parse(horarios_json) as Horarios
  const windows = nomesIas.flatMap((nome) => {
    const single = agenda[nome]
    const janelas = more[nome] ?? (single && [horarioOf(single)])
    return janelas ? [[nome, janelas] as const] : []
  })
  return { ...Object.fromEntries(windows), feriados }
}

/** Returns all fields of a camera that people set. Passwords stay masked, because the sealed columns are not opened. */
export function cameraFields(row: CameraRow) {
  return {
    nome: row.nome,
    empresa_id: row.empresa_id,
    edge_id: row.edge_id,
    gravador_id: row.gravador_id,
    canal: row.canal,
    rtsp_url: row.rtsp_url,
    sub_rtsp_url: row.sub_rtsp_url,
    perfil: row.perfil as NomePerfil | null,
    eventos_habilitados: JSON.parse(row.eventos_habilitados_json) as Camera['eventos_habilitados'],
    config_ia: JSON.parse(row.config_ia_json) as Camera['config_ia'],
    zonas: JSON.parse(row.zonas_json) as Camera['zonas'],
    nomes_zonas: zoneNamesOf(row),
    linha: JSON.parse(row.linha_json) as Camera['linha'],
    imagem_inteira: row.imagem_inteira === 1,
    mascaras: JSON.parse(row.mascaras_json) as Camera['mascaras'],
    gravacao_continua: row.gravacao_continua === 1,
    audio: row.audio === 1,
    transporte: row.transporte as Camera['transporte'],
    agenda: JSON.parse(row.agenda_json) as Camera['agenda'],
    horarios: horariosOf(row),
    ativa: row.ativa === 1,
    modo_b_config: modoBOf(row),
    instrucoes: JSON.parse(row.instrucoes_json) as string[],
  }
}
