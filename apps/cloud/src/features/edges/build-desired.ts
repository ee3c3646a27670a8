import { agendaSchema } from '@vigia/contracts/agenda'
import { configIaSchema } from '@vigia/contracts/calibracao'
import type { CameraDesejada, Desejado, Fontes } from '@vigia/contracts/edge-state'
import { ativarSchema } from '@vigia/contracts/edges'
import { linhaSchema, zonasSchema } from '@vigia/contracts/geometria'
import { nomesIas } from '@vigia/contracts/ias'
import { seal } from '@vigia/link/sealed'
import { mergeCalibration } from '@vigia/rules/calibration'
import { z } from 'zod'
import type { readDesired } from './store.ts'

export type DesiredRows = NonNullable<Awaited<ReturnType<typeof readDesired>>>
export type DesiredCameraRow = DesiredRows['cameras'][number]

const iasSchema = z.array(z.enum(nomesIas))

/**
 * The whole configuration of an edge out of its rows: every threshold with its default filled in, and the stream
 * addresses, passwords and all, readable by that edge alone.
 * @param sources opens a camera's stored addresses; null: they cannot be read, and the edge will say so of that camera
 */
export async function buildDesired(
  rows: DesiredRows,
  sources: (camera: DesiredCameraRow) => Fontes | null,
): Promise<Desejado> {
  const key = ativarSchema.shape.chave_cifra.parse(JSON.parse(rows.chaveCifraJson))
  const cameras: CameraDesejada[] = []
  for (const row of rows.cameras) {
    const fontes = sources(row)
    cameras.push({
      id: row.id,
      nome: row.nome,
      ativa: row.ativa === 1,
      fontes: fontes === null ? '' : await seal(key, fontes),
      analises: analyses(row),
      zonas: zonasSchema.parse(JSON.parse(row.zonas_json)),
      linha: linhaSchema.parse(JSON.parse(row.linha_json)),
      fuso_horario: row.fuso_horario,
      ultimo_seq: row.ultimo_seq ?? 0,
    })
  }
  return {
    v: 1,
    versao: rows.versao,
    cameras,
    limite_reenvio_kbps: rows.limiteReenvioKbps,
    identidade_duplicada: rows.duplicado,
  }
}

function analyses(row: DesiredCameraRow): CameraDesejada['analises'] {
  const efetiva = mergeCalibration(configIaSchema.parse(JSON.parse(row.config_ia_json)))
  const agenda = agendaSchema.parse(JSON.parse(row.agenda_json))
  return iasSchema
    .parse(JSON.parse(row.eventos_habilitados_json))
    .map((ia) => ({ ia, calibracao: efetiva[ia], agenda: agenda[ia] ?? null }))
}
