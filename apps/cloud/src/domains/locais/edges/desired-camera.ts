import { agendaSchema } from '@vigia/contracts/agenda'
import { configIaSchema } from '@vigia/contracts/calibracao'
import { modoBConfigSchema } from '@vigia/contracts/cameras'
import type { CameraDesejada, Fontes } from '@vigia/contracts/edge-state'
import { linhaSchema, type Zonas, zonasSchema } from '@vigia/contracts/geometria'
import { MAX_GRAVACAO_APAGADA } from '@vigia/contracts/gravacao-continua'
import { MAX_CONEXOES } from '@vigia/contracts/gravadores'
import { type Horarios, type ListaFeriados, MAX_DATAS_FERIADOS } from '@vigia/contracts/horarios'
import { nomesIas } from '@vigia/contracts/ias'
import { mergeCalibration } from '@vigia/ias/calibration'
import { sealedLength } from '@vigia/link/sealed'
import { z } from 'zod'
import { horariosOf } from '../../../db/camera-fields.ts'
import { readGravacaoApagada } from '../../../db/gravacao-apagada.ts'
import type { CameraRow } from '../../../db/rows.ts'

/** The columns of a camera in the desired state, without its addresses. */
export type ConfiguredCamera = Pick<
  CameraRow,
  | 'agenda_json'
  | 'ativa'
  | 'audio'
  | 'config_ia_json'
  | 'eventos_habilitados_json'
  | 'gravacao_apagada_json'
  | 'gravacao_continua'
  | 'horarios_json'
  | 'id'
  | 'linha_json'
  | 'mascaras_json'
  | 'modo_b_config_json'
  | 'nome'
  | 'transporte'
  | 'zonas_json'
>

const iasSchema = z.array(z.enum(nomesIas))

/** Returns a camera as its edge receives it; missing thresholds get their defaults. */
export const desiredCamera = (
  row: ConfiguredCamera,
  rest: Pick<CameraDesejada, 'fontes' | 'fuso_horario' | 'max_conexoes' | 'ultimo_seq'> & {
    /** Lists of holidays of the Empresa. */
    readonly listas: readonly ListaFeriados[]
  },
): CameraDesejada => ({
  id: row.id,
  nome: row.nome,
  ativa: row.ativa === 1,
  fontes: rest.fontes,
  analises: analyses(row),
  zonas: rounded(zonasSchema.parse(JSON.parse(row.zonas_json))),
  linha: linhaSchema.parse(JSON.parse(row.linha_json)),
  ...(row.mascaras_json !== '[]' && { mascaras: rounded(zonasSchema.parse(JSON.parse(row.mascaras_json))) }),
  ...(row.gravacao_continua === 1 && { gravacao_continua: true as const }),
  // The copy of a masked camera has no audio.
  ...(row.audio === 1 && row.mascaras_json === '[]' && { audio: true as const }),
  ...(row.transporte !== 'automatico' && { transporte: row.transporte as 'tcp' | 'udp' }),
  ...(row.gravacao_apagada_json !== '[]' && { gravacao_apagada: readGravacaoApagada(row.gravacao_apagada_json) }),
  ...(rest.max_conexoes !== undefined && { max_conexoes: rest.max_conexoes }),
  ...modoB(row),
  fuso_horario: rest.fuso_horario,
  ...feriados(row, rest.listas),
  ultimo_seq: rest.ultimo_seq,
})

/** Without the lists of plates, which are matched here. */
function modoB({ modo_b_config_json }: ConfiguredCamera): Pick<CameraDesejada, 'modo_b'> {
  const config = modoBConfigSchema.safeParse(JSON.parse(modo_b_config_json ?? 'null')).data
  return config?.ativo ? { modo_b: { regiao: rounded(config.regiao), conf_placa: config.conf_placa } } : {}
}

function feriados(row: ConfiguredCamera, listas: readonly ListaFeriados[]): Pick<CameraDesejada, 'feriados'> {
  const chosen = horariosOf(row).feriados
  const datas = listas.find(({ nome }) => nome === chosen?.lista)?.datas
  return chosen && datas ? { feriados: { datas, dia: chosen.dia } } : {}
}

function analyses(row: ConfiguredCamera): CameraDesejada['analises'] {
  const efetiva = mergeCalibration(configIaSchema.parse(JSON.parse(row.config_ia_json)))
  const agenda = agendaSchema.parse(JSON.parse(row.agenda_json))
  const { feriados: _dates, ...beyond } = JSON.parse(row.horarios_json) as Horarios
  return iasSchema.parse(JSON.parse(row.eventos_habilitados_json)).map((ia) => ({
    ia,
    calibracao: efetiva[ia],
    agenda: agenda[ia] ?? null,
    ...(beyond[ia] && { horarios: beyond[ia] }),
  }))
}

/** Resolution of a coordinate in the message: below a tenth of a pixel in a 4K frame, at most 7 characters. */
const STEPS = 100_000
const rounded = (zonas: Zonas): Zonas => zonas.map((zona) => zona.map((value) => Math.round(value * STEPS) / STEPS))

/**
 * Values that change without an update of the camera, at their maximum length. A time zone has at most 64 characters
 * (empresas.ts).
 */
const LONGEST = {
  fontes: '',
  max_conexoes: MAX_CONEXOES,
  fuso_horario: 'x'.repeat(64),
  ultimo_seq: Number.MAX_SAFE_INTEGER,
}

/** The longest list of holidays, which the Empresa changes without an update of the camera. */
const longestList = ({ lista: nome }: { readonly lista: string }): ListaFeriados[] => [
  { nome, datas: Array.from({ length: MAX_DATAS_FERIADOS }, () => '2026-01-01') },
]

/** Only a recorded camera has deleted parts. */
const LONGEST_APAGADA = JSON.stringify(
  Array.from({ length: MAX_GRAVACAO_APAGADA }, () => ({ de: Number.MAX_SAFE_INTEGER, ate: Number.MAX_SAFE_INTEGER })),
)

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * Maximum bytes of a camera in a desired state, including the comma after it.
 * @param fontes null: the addresses cannot be opened and are sent empty
 */
export function desiredCameraBytes(row: ConfiguredCamera, fontes: Fontes | null): number {
  const sealed = fontes === null ? 0 : sealedLength(jsonBytes(fontes))
  const gravacao_apagada_json = row.gravacao_continua === 1 ? LONGEST_APAGADA : row.gravacao_apagada_json
  const chosen = horariosOf(row).feriados
  const rest = { ...LONGEST, listas: chosen ? longestList(chosen) : [] }
  return jsonBytes(desiredCamera({ ...row, ativa: 0, gravacao_apagada_json }, rest)) + sealed + 1
}
