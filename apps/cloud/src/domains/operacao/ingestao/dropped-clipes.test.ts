import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { batch, candidate, gap, type HeldRecord, seedCamera } from '../../../test/records/records.ts'
import { ingestBatch } from './ingest-batch.ts'

it('stores that events have no clip when the edge reports them as dropped', async () => {
  const dir = temporaryFolder('vigia-dropped-clipes-')
  const db = await openTestDatabase(join(dir, 'vigia.db'))
  try {
    const { edgeId, cameraId } = await seedCamera(db)
    const media = createFileMediaStore({ dir: join(dir, 'media') })
    const send = async (records: readonly HeldRecord[]) => {
      const ingested = await ingestBatch({ db, media, clock: { now: Date.now } }, edgeId, batch(records))
      return ingested.ok ? ingested.respostas.map(({ resultado }) => resultado) : ingested.motivo
    }
    const absent = () => db.selectFrom('clipes_eventos').select(['evento_id', 'motivo']).execute()
    await send([candidate(cameraId, 1), candidate(cameraId, 2)])
    // Its numbers follow all stored ones: no event is searched.
    await send([gap(cameraId, 3, 4)])
    expect(await absent()).toEqual([])
    expect(await send([gap(cameraId, 2, 5)])).toEqual(['gravado'])
    const { id } = await db.selectFrom('eventos').select('id').where('seq', '=', 2).executeTakeFirstOrThrow()
    expect(await absent()).toEqual([{ evento_id: id, motivo: 'disco_cheio' }])
  } finally {
    await db.destroy()
    await rm(dir, { recursive: true, force: true })
  }
})
