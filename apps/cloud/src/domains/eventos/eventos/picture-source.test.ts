import { join } from 'node:path'
import { fixture } from '@vigia/testing/fixture'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { openPicture } from '@vigia/vision/picture'
import { encodeJpeg } from '@vigia/vision/testing/jpeg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBoxDrawer } from '../../../adapters/box-drawer/box-drawer.ts'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { queueBox as box, openTempDatabase } from '../../../test/records/queue-records.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { seedEvento } from '../../../test/records/retention-records.ts'
import { createPictureSource } from './picture-source.ts'

const temp = fixture(openTempDatabase)
const drawer = createBoxDrawer({ log: pino({ level: 'silent' }), timeoutMs: 30_000 })
afterAll(() => drawer.stop())

const now = Date.parse('2026-11-21T12:00:00Z')
const caixas = [{ rotulo: 'person', confianca: 0.9, x: 0.25, y: 0.25, w: 0.5, h: 0.5 }]
let frame: Buffer
const media = createFileMediaStore({ dir: join(temporaryFolder('vigia-imagens-'), 'midias') })
beforeAll(async () => {
  frame = await encodeJpeg(Buffer.alloc(320 * 180 * 3, 120), 320, 180)
})

async function evento(change: object = {}) {
  const { db } = temp
  const camera = await seedCamera(db)
  const id = await seedEvento({ db, media, ...camera }, now)
  const changed = db.updateTable('eventos').set({ caixas_json: JSON.stringify(caixas), ...change })
  const row = await changed.where('id', '=', id).returningAll().executeTakeFirstOrThrow()
  if (row.quadro_path !== null) await media.put(row.quadro_path, frame)
  return { id, ...camera }
}
const source = () => createPictureSource({ db: temp.db, media, clock: { now: () => now }, box, drawer })

it('shows people the whole frame with its box, and programs the frame as it came', async () => {
  const { id } = await evento()
  expect(await source().read(id, false)).toEqual(frame)
  const drawn = await source().read(id, true)
  const picture = await openPicture(drawn ?? Buffer.alloc(0))
  const at = { left: 78, top: 90, width: 1, height: 1 }
  const [red = 0, green = 0] = await picture.cut(at, { width: 1, height: 1, format: 'rgb' })
  expect([picture.width, picture.height, red - green > 50]).toEqual([320, 180, true])
})

it('draws no box on a crop, which has another frame', async () => {
  const { id } = await evento({ quadro_path: null })
  const crop = await source().read(id, false)
  expect(crop).not.toBeNull()
  expect(await source().read(id, true)).toEqual(crop)
})

it('shows nobody a picture whose masks are not applied yet', async () => {
  const { id, cameraId } = await evento()
  const mascaras_json = '[[0.1,0.1,0.5,0.1,0.5,0.5]]'
  const masked = { mascaras_json, mascara_desde: now - 1, mascara_aplicada_em: null }
  await temp.db.updateTable('cameras').set(masked).where('id', '=', cameraId).execute()
  expect([await source().read(id, true), await source().read(id, false)]).toEqual([null, null])
})
