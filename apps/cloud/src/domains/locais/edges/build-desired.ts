import { type CameraDesejada, type Desejado, type Fontes, motivosAnunciados } from '@vigia/contracts/edge-state'
import { ativarSchema } from '@vigia/contracts/edges'
import { recursosExtras } from '@vigia/contracts/extras'
import { seal } from '@vigia/link/sealed'
import { desiredCamera } from './desired-camera.ts'
import type { readDesired } from './store.ts'

export type DesiredRows = NonNullable<Awaited<ReturnType<typeof readDesired>>>
export type DesiredCameraRow = DesiredRows['cameras'][number]

/**
 * Builds the desired state of an edge from its rows. Missing thresholds get their defaults. Stream addresses with their
 * passwords are sealed for that edge.
 * @param sources opens a camera's stored addresses; null: unreadable, and the edge reports that for the camera
 */
export async function buildDesired(
  rows: DesiredRows,
  sources: (camera: DesiredCameraRow) => Fontes | null,
): Promise<Desejado> {
  const key = ativarSchema.shape.chave_cifra.parse(JSON.parse(rows.chaveCifraJson))
  const cameras: CameraDesejada[] = []
  for (const row of rows.cameras) {
    const fontes = sources(row)
    cameras.push(
      desiredCamera(row, {
        fontes: fontes === null ? '' : await seal(key, fontes),
        ...(row.max_conexoes !== null && { max_conexoes: row.max_conexoes }),
        fuso_horario: row.fuso_horario,
        listas: JSON.parse(row.feriados_json),
        ultimo_seq: row.ultimo_seq ?? 0,
      }),
    )
  }
  return {
    v: 1,
    versao: rows.versao,
    cameras,
    limite_reenvio_kbps: rows.limiteReenvioKbps,
    identidade_duplicada: rows.duplicado,
    recursos: [...recursosExtras, 'passagem', ...motivosAnunciados],
    ...(rows.gravacaoContinuaMb !== null && { gravacao_continua_mb: rows.gravacaoContinuaMb }),
  }
}
