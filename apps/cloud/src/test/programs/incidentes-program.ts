import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { waitFor } from '@vigia/testing/wait'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import { findEmpresa } from '../../db/empresas.ts'
import { openDatabase } from '../../db/open.ts'
import { ingestBatch } from '../../domains/operacao/ingestao/ingest-batch.ts'
import { giveVerdict } from '../records/queue-records.ts'
import { batch, candidate } from '../records/records.ts'

/**
 * A second process on the database of a test. Arguments: place of the database, folder, edge, camera, number of events.
 * It begins when the name of Empresa 1 becomes "vai". It stores that many events of the camera, 40 s apart. After each
 * one it gives a verdict to an event of any process.
 */
const [place = '', dir = '', edge = '', camera = '', count = ''] = process.argv.slice(2)
const db = await openDatabase(place)
const media = createFileMediaStore({ dir: join(dir, 'media') })

process.send?.({ pronto: true })
await waitFor('the word to go', async () => (await findEmpresa(db, 1))?.nome === 'vai', { everyMs: 5 })
for (let n = 0; n < Number(count); n += 1) {
  const change = { ocorrido_em: 1_790_000_000_000 + n * 40_000, trilha: n % 5 === 0 ? 'a-1' : `b-${n}` }
  const payload = batch([candidate(Number(camera), n + 1, { crop: null, change })])
  await ingestBatch({ db, media, clock: { now: Date.now } }, Number(edge), payload)
  const pending = await db.selectFrom('eventos').select('id').where('veredito_decisao', 'is', null).execute()
  const some = pending[Math.floor(Math.random() * pending.length)]
  if (some) await giveVerdict(db, some.id, some.id % 3 === 0 ? 'confirmado' : 'refutado')
  // SQLite locks are not fair: a waiting process polls the lock rarely and would run last.
  await setTimeout(3)
}
await db.destroy()
process.disconnect?.()
