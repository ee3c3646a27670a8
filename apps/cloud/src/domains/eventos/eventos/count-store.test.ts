import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { operatorCaller as operator } from '../../../test/clients/operator-caller.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { batch, candidate, seedCamera, seedOneCamera } from '../../../test/records/records.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { ingestBatch } from '../../operacao/ingestao/ingest-batch.ts'
import { saveVerdict } from '../../operacao/verificacao/save-verdict.ts'
import { reviewEvent } from './review-evento.ts'

const decisao = fc.constantFrom('confirmado' as const, 'refutado' as const)
const certeza = fc.constantFrom('alta' as const, 'baixa' as const)
const pick = fc.nat(20)
const step = fc.oneof(
  fc.record({
    what: fc.constant('ingest' as const),
    camera: fc.nat(2),
    ia: fc.constantFrom('invasao' as const, 'fogo' as const),
    ocorrido_em: fc.constantFrom(0, 1_790_000_000_000, 1_790_000_500_000, 1_793_000_000_000),
  }),
  fc.record({ what: fc.constant('repeat' as const), pick }),
  fc.record({ what: fc.constant('verdict' as const), pick, decisao, certeza }),
  fc.record({ what: fc.constant('review' as const), pick, decisao }),
)

it('keeps the counts equal to the events after any change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const dir = temporaryFolder('vigia-counts-')
      const db = await openTestDatabase(join(dir, 'vigia.db'))
      const media = createFileMediaStore({ dir: join(dir, 'media') })
      const deps = { db, media, clock: { now: () => 1_793_000_000_000 }, log: pino({ level: 'silent' }) }
      const one = await seedCamera(db)
      const other = await seedCamera(db)
      const second = await seedOneCamera(db, one.empresaId, one.edgeId)
      const cameras = [one, other, { ...one, cameraId: second }]
      const sent: { edgeId: number; payload: Buffer }[] = []
      for (const now of steps) {
        const known = sent.length === 0 ? undefined : 'pick' in now ? now.pick % sent.length : undefined
        if (now.what === 'ingest') {
          const camera = cameras[now.camera] ?? one
          const change = { ia: now.ia, ocorrido_em: now.ocorrido_em }
          const payload = batch([candidate(camera.cameraId, sent.length + 1, { change })])
          sent.push({ edgeId: camera.edgeId, payload })
          await ingestBatch(deps, camera.edgeId, payload)
        } else if (known === undefined) continue
        else if (now.what === 'repeat') {
          const again = sent[known]
          if (again) await ingestBatch(deps, again.edgeId, again.payload)
        } else if (now.what === 'verdict') {
          const { decisao, certeza } = now
          await saveVerdict(db, known + 1, { decisao, certeza, confianca: 1, motivo: '', fonte: '' }, '{}', 1)
        } else await reviewEvent(deps, operator, known + 1, { rotulo_humano: now.decisao, revisor: 'Ana' })
      }
      const { n } = await db
        .selectFrom('eventos')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      expect(n).toBe(sent.length)
      await expectCountsRight(db)
      await db.destroy()
      await rm(dir, { recursive: true, force: true })
    }),
    { numRuns: 15 },
  )
})
