import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import { announceFiles } from '../../db/midias-a-apagar.ts'
import type { PassagemRow } from '../../db/rows.ts'
import { type DiscardDeps, discardFiles } from '../eventos/discard-files.ts'

/**
 * Copies the picture of a plate into `dataset/placas/`, with one JSON line of what a person reads on it. The name
 * begins with the UUID of the picture's record, so that the check of the files finds the passage.
 * @returns the picture and its line, listed for deletion until a transaction takes them; empty: no picture
 */
export async function stageTraining(
  deps: DiscardDeps,
  row: PassagemRow,
  { placa, revisor, now }: { readonly placa: string | null; readonly revisor: string; readonly now: number },
): Promise<readonly string[]> {
  const bytes = row.foto_placa_path === null ? null : await deps.media.read(row.foto_placa_path)
  if (row.foto_placa_path === null || bytes === null) return []
  const record = basename(row.foto_placa_path).slice(0, UUID_LENGTH)
  const stem = `dataset/placas/${record}-${randomUUID().slice(0, 8)}`
  const files = [`${stem}.jpg`, `${stem}.json`]
  const line = {
    ...{ passagem_id: row.id, empresa_id: row.empresa_id, camera_id: row.camera_id, picture: `${stem}.jpg` },
    placa_lida: row.corrigida_em === null ? row.placa : row.placa_lida,
    ...{ confianca: row.confianca, candidatas: JSON.parse(row.candidatas_json) },
    ...{ placa, corrigida_por: revisor, corrigida_em: new Date(now).toISOString() },
  }
  await announceFiles(deps.db, files)
  try {
    await deps.media.put(`${stem}.jpg`, bytes)
    await deps.media.put(`${stem}.json`, Buffer.from(`${JSON.stringify(line)}\n`))
  } catch (error) {
    await discardFiles(deps, files)
    throw error
  }
  return files
}

const UUID_LENGTH = 36
