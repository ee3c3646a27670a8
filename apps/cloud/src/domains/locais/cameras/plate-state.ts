import { type CameraPatch, type ModoBConfig, modoBConfigSchema } from '@vigia/contracts/cameras'
import type { NomeIa } from '@vigia/contracts/ias'
import { hasPlaca, withPlaca } from '@vigia/contracts/plates-ia'
import type { CameraChanges } from '../../../db/cameras.ts'
import type { CameraRow } from '../../../db/rows.ts'

/** `modo_b_config_json` after plates were switched on or off; the other settings stay. null: none, and off. */
export function platesColumn(before: string | null, on: boolean): string | null {
  if (before !== null) return JSON.stringify({ ...(JSON.parse(before) as ModoBConfig), ativo: on })
  return on ? JSON.stringify(modoBConfigSchema.parse({ ativo: true })) : null
}

/**
 * The columns of IAs and plates. The IA of plates and `ativo` are one state: a request with one form changes both, and
 * the schema refuses two forms that differ.
 */
export function platesAndIas(
  row: Pick<CameraRow, 'eventos_habilitados_json' | 'modo_b_config_json'>,
  { eventos_habilitados, ias_habilitadas, modo_b_config: plates }: CameraPatch,
): CameraChanges {
  const sent = eventos_habilitados ?? ias_habilitadas
  const iasSent = eventos_habilitados !== undefined || ias_habilitadas !== undefined
  if (!iasSent && plates === undefined) return {}
  const ias: readonly NomeIa[] = iasSent ? (sent ?? []) : JSON.parse(row.eventos_habilitados_json)
  const on = iasSent ? hasPlaca(ias) : (plates?.ativo ?? false)
  return {
    eventos_habilitados_json: JSON.stringify(withPlaca(ias, on)),
    modo_b_config_json:
      plates === undefined ? platesColumn(row.modo_b_config_json, on) : plates && JSON.stringify(plates),
  }
}
