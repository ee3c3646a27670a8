import { randomUUID } from 'node:crypto'
import type { Decisao } from '@vigia/contracts/eventos'
import type { StoredMedia } from '../../../db/media-bytes.ts'
import { announceFiles, pathsOf } from '../../../db/midias-a-apagar.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { datasetLine } from './dataset-line.ts'
import { type DiscardDeps, discardFiles } from './discard-files.ts'

interface StagedFiles {
  /** Files written for the review, the crop first; empty: the event has no crop to move. */
  readonly novos: readonly StoredMedia[]
  /** The files that they replace. */
  readonly antigos: readonly string[]
}

/** Writes the files of a review. They stay listed for deletion until its transaction uses them. */
export async function stageFiles(
  deps: DiscardDeps,
  row: EventoRow,
  review: { readonly rotulo: Decisao; readonly revisor: string; readonly now: number },
): Promise<StagedFiles> {
  const { db, media } = deps
  const crop = row.crop_path === null ? null : await media.read(row.crop_path)
  // Without a file only the label is stored. The transaction detects a file that has just moved.
  if (row.crop_path === null || crop === null) return { novos: [], antigos: [] }

  const stem = `dataset/${review.rotulo}/${row.uuid}-${randomUUID().slice(0, 8)}`
  const line = Buffer.from(datasetLine(row, review, `${stem}.jpg`))
  const novos = [
    { path: `${stem}.jpg`, empresaId: row.empresa_id, bytes: crop.length },
    { path: `${stem}.json`, empresaId: row.empresa_id, bytes: line.length },
  ]
  await announceFiles(db, pathsOf(novos))
  try {
    await media.put(`${stem}.jpg`, crop)
    await media.put(`${stem}.json`, line)
  } catch (error) {
    await discardFiles(deps, pathsOf(novos))
    throw error
  }
  return { novos, antigos: filesReplaced(row.crop_path) }
}

function filesReplaced(path: string): string[] {
  // The passage of the event still shows it.
  if (path.startsWith('passagens/')) return []
  return path.startsWith('dataset/') ? [path, path.replace(/\.jpg$/, '.json')] : [path]
}
