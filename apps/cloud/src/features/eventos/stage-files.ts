import { randomUUID } from 'node:crypto'
import type { Decisao } from '@vigia/contracts/eventos'
import type { EventoRow } from '../../db/rows.ts'
import { datasetLine } from './dataset-line.ts'
import { type DiscardDeps, discardFiles } from './discard-files.ts'
import { announceFiles } from './review-store.ts'

interface StagedFiles {
  /** Files written for the review, the crop first; empty: the event has no crop to move. */
  readonly novos: readonly string[]
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
  const novos = [`${stem}.jpg`, `${stem}.json`]
  await announceFiles(db, novos)
  try {
    await media.put(`${stem}.jpg`, crop)
    await media.put(`${stem}.json`, Buffer.from(datasetLine(row, review, `${stem}.jpg`)))
  } catch (error) {
    await discardFiles(deps, novos)
    throw error
  }
  const antigos = row.crop_path.startsWith('dataset/')
    ? [row.crop_path, row.crop_path.replace(/\.jpg$/, '.json')]
    : [row.crop_path]
  return { novos, antigos }
}
