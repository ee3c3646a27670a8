import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import type { IngestDeps } from '../../domains/operacao/ingestao/ingest-batch.ts'
import { seedCamera } from '../records/records.ts'
import { openTestDatabase } from './template.ts'

/** Noon of the stopped clock, epoch ms. */
export const NOON = Date.UTC(2026, 10, 21, 12)

/** A camera on an activated edge, and what a batch of the edge is stored with. */
export async function openIngestStage() {
  const dir = temporaryFolder('vigia-ingest-')
  const db = await openTestDatabase(join(dir, 'vigia.db'))
  const deps: IngestDeps = { db, clock: { now: () => NOON }, media: createFileMediaStore({ dir: join(dir, 'media') }) }
  return {
    dir,
    db,
    deps,
    ...(await seedCamera(db)),
    async close() {
      await db.destroy()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
