import { agendaSchema } from '@vigia/contracts/agenda'
import { configIaSchema } from '@vigia/contracts/calibracao'
import type { CameraDesejada, Fontes } from '@vigia/contracts/edge-state'
import { linhaSchema, type Zonas, zonasSchema } from '@vigia/contracts/geometria'
import { nomesIas } from '@vigia/contracts/ias'
import { mergeCalibration } from '@vigia/ias/calibration'
import { sealedLength } from '@vigia/link/sealed'
import { z } from 'zod'
import type { CameraRow } from '../../db/rows.ts'

/** The columns of a camera that its share of a desired state is made of, without its addresses. */
export type ConfiguredCamera = Pick<
  CameraRow,
  'agenda_json' | 'ativa' | 'config_ia_json' | 'eventos_habilitados_json' | 'id' | 'linha_json' | 'nome' | 'zonas_json'
>

const iasSchema = z.array(z.enum(nomesIas))

/** A camera as its edge gets it: every threshold with its default filled in. */
export const desiredCamera = (
  row: ConfiguredCamera,
  rest: Pick<CameraDesejada, 'fontes' | 'fuso_horario' | 'ultimo_seq'>,
): CameraDesejada => ({
  id: row.id,
  nome: row.nome,
  ativa: row.ativa === 1,
  fontes: rest.fontes,
  analises: analyses(row),
  zonas: rounded(zonasSchema.parse(JSON.parse(row.zonas_json))),
  linha: linhaSchema.parse(JSON.parse(row.linha_json)),
  fuso_horario: rest.fuso_horario,
  ultimo_seq: rest.ultimo_seq,
})

function analyses(row: ConfiguredCamera): CameraDesejada['analises'] {
  const efetiva = mergeCalibration(configIaSchema.parse(JSON.parse(row.config_ia_json)))
  const agenda = agendaSchema.parse(JSON.parse(row.agenda_json))
  return iasSchema
    .parse(JSON.parse(row.eventos_habilitados_json))
    .map((ia) => ({ ia, calibracao: efetiva[ia], agenda: agenda[ia] ?? null }))
}

/** Steps of a coordinate in the message: less than a tenth of a pixel of a 4K frame, in at most 7 characters. */
const STEPS = 100_000
const rounded = (zonas: Zonas): Zonas => zonas.map((zona) => zona.map((value) => Math.round(value * STEPS) / STEPS))

/** Values that change without a change of the camera count at their longest. A time zone has at most 64 characters (empresas.ts). */
const LONGEST = { fontes: '', fuso_horario: 'x'.repeat(64), ultimo_seq: Number.MAX_SAFE_INTEGER }

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * Bytes that a camera takes in a desired state at most, the comma behind it included.
 * @param fontes null: its addresses cannot be opened, and are sent empty
 */
export function desiredCameraBytes(row: ConfiguredCamera, fontes: Fontes | null): number {
  const sealed = fontes === null ? 0 : sealedLength(jsonBytes(fontes))
  return jsonBytes(desiredCamera({ ...row, ativa: 0 }, LONGEST)) + sealed + 1
}
