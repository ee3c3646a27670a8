import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { StoredMedia } from '../../../db/media-bytes.ts'
import { announceFiles, pathsOf } from '../../../db/midias-a-apagar.ts'
import type { PassagemRow } from '../../../db/rows.ts'
import { type DiscardDeps, discardFiles } from '../../eventos/public.ts'

/**
 * Copies the picture of a plate into `dataset/placas/`, with one JSON line of what a person reads on it. The name
 * begins with the UUID of the picture's record, so that the check of the files finds the passage.
 * @returns the picture and its line, listed for deletion until a transaction takes them; empty: no picture
 */
export async function stageTraining(
  deps: DiscardDeps,
  row: PassagemRow,
  { placa, revisor, now }: { readonly placa: string | null; readonly revisor: string; readonly now: number },
): Promise<readonly StoredMedia[]> {
  const bytes = row.foto_placa_path === null ? null : await deps.media.read(row.foto_placa_path)
  if (row.foto_placa_path === null || bytes === null) return []
  const record = basename(row.foto_placa_path).slice(0, UUID_LENGTH)
  const stem = `dataset/placas/${record}-${randomUUID().slice(0, 8)}`
  const line = {
    passagem_id: row.id,
    empresa_id: row.empresa_id,
    camera_id: row.camera_id,
    picture: `${stem}.jpg`,
    placa_lida: row.corrigida_em === null ? row.placa : row.placa_lida,
    confianca: row.confianca,
    candidatas: JSON.parse(row.candidatas_json),
    placa,
    corrigida_por: revisor,
    corrigida_em: new Date(now).toISOString(),
  }
  const text = Buffer.from(`${JSON.stringify(line)}\n`)
  const files = [
    { path: `${stem}.jpg`, empresaId: row.empresa_id, bytes: bytes.length },
    { path: `${stem}.json`, empresaId: row.empresa_id, bytes: text.length },
  ]
  await announceFiles(deps.db, pathsOf(files))
  try {
    await deps.media.put(`${stem}.jpg`, bytes)
    await deps.media.put(`${stem}.json`, text)
  } catch (error) {
    await discardFiles(deps, pathsOf(files))
    throw error
  }
  return files
}

const UUID_LENGTH = 36
