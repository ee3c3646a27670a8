import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { createHeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { DAY_MS, type Seeded, seedEvento } from '../../../test/records/retention-records.ts'
import { saveRule } from './store.ts'
import { viewRetencao } from './view-retencao.ts'

const NOW = 1_790_000_000_000
const MB = 1_000_000
let db: Database
let seeded: Seeded
beforeEach(async () => {
  const dir = temporaryFolder('vigia-forecast-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  seeded = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), ...(await seedCamera(db)) }
})
afterEach(() => db.destroy())

/** Pictures of 100 MB that arrived this many days ago. */
async function pictures(...days: readonly number[]): Promise<void> {
  for (const day of days) {
    const id = await seedEvento(seeded, NOW - day * DAY_MS)
    await db
      .updateTable('eventos')
      .set({ midia_bytes: 100 * MB })
      .where('id', '=', id)
      .execute()
  }
}
/** Forecast of pictures and disk, with 10 GB free. */
async function forecast() {
  // Without a file: on the connection of the test.
  const reads = createHeavyReads({ db, file: null })
  const deps = { db, reads, clock: { now: () => NOW }, measure: () => ({ free: 10_000 * MB }) }
  const { uso, dias_ate_disco_cheio } = await viewRetencao(deps, seeded.empresaId)
  const { bytes, bytes_por_dia, dias_observados, dias_ate_limite } = uso[0] ?? {}
  return {
    mb: (bytes ?? 0) / MB,
    mbPorDia: (bytes_por_dia ?? 0) / MB,
    dias_observados,
    dias_ate_limite,
    dias_ate_disco_cheio,
  }
}
const limit = (change: { readonly dias?: number; readonly bytes?: number }) =>
  saveRule(db, { empresa_id: seeded.empresaId, tipo: 'imagens', dias: null, bytes: null, ...change })

it('divides by the age of a new installation, up to a week', async () => {
  await limit({ bytes: 1_000 * MB })
  await pictures(2, 1)
  const young = { mb: 200, mbPorDia: 100, dias_observados: 2, dias_ate_limite: 8, dias_ate_disco_cheio: 100 }
  expect(await forecast()).toEqual(young)
  await pictures(20, 6, 5, 4, 3, 2)
  expect(await forecast()).toMatchObject({ mb: 800, mbPorDia: 100, dias_observados: 7 })
})

it('predicts nothing from less than a day', async () => {
  await limit({ bytes: 1_000 * MB })
  await pictures(0.125)
  const none = { dias_ate_limite: null, dias_ate_disco_cheio: null }
  expect(await forecast()).toEqual({ mb: 100, mbPorDia: 100, dias_observados: 0.1, ...none })
})

it('divides by the days that pictures stay, if these are fewer', async () => {
  await limit({ dias: 2 })
  await pictures(30, 1.5, 0.5)
  expect(await forecast()).toMatchObject({ mbPorDia: 100, dias_observados: 2 })
})
