import { spawn } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { createApp } from '../../../app.ts'
import { loadConfig } from '../../../config.ts'
import { type Database, openDatabase } from '../../../db/open.ts'
import { operatorCaller as operator } from '../../../test/clients/operator-caller.ts'
import { openTestDatabase, testBanco, testPlace } from '../../../test/clouds/template.ts'
import { batch, candidate, JPEG, seedCamera } from '../../../test/records/records.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { ingestBatch } from '../../operacao/ingestao/ingest-batch.ts'
import { sweepFiles } from './discard-files.ts'
import { reviewEvent } from './review-evento.ts'

const program = fileURLToPath(new URL('../../../test/programs/review-program.ts', import.meta.url))
const log = pino({ level: 'silent' })
let dir: string
let place: string
let db: Database
beforeEach(async () => {
  dir = temporaryFolder('vigia-review-')
  place = await testPlace(join(dir, 'vigia.db'))
  db = await openDatabase(place)
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

const media = () => createFileMediaStore({ dir: join(dir, 'media') })
const event = () => db.selectFrom('eventos').selectAll().executeTakeFirstOrThrow()
const allFiles = async () => {
  const entries = await readdir(join(dir, 'media'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 7))
}

/** Runs the program to its end; returns the signal that ended it. */
const runProgram = (rotulo: string, step: string) =>
  new Promise<string | null>((resolve, reject) => {
    const args = [program, place, dir, '1', rotulo, step]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    child.on('error', reject)
    child.on('close', (_code, signal) => resolve(signal))
  })

/** Invariant after each start: one crop, its line if reviewed, and no other files. */
async function expectClean(): Promise<void> {
  const row = await event()
  expect(await media().read(row.crop_path ?? '')).toEqual(JPEG)
  const expected = [row.crop_path ?? '', row.quadro_path ?? '']
  if (row.revisao_rotulo !== null) {
    expect(row.crop_path).toContain(`dataset/${row.revisao_rotulo}/`)
    const line = (row.crop_path ?? '').replace('.jpg', '.json')
    expected.push(line)
    const written = JSON.parse((await media().read(line))?.toString() ?? '')
    expect(written).toMatchObject({
      id: row.id,
      crop_path: row.crop_path,
      caixas: JSON.parse(row.caixas_json),
      revisao: { rotulo_humano: row.revisao_rotulo, revisor: row.revisao_revisor },
    })
  }
  expect((await allFiles()).sort()).toEqual(expected.sort())
  expect(await db.selectFrom('midias_a_apagar').selectAll().execute()).toEqual([])
  await expectCountsRight(db)
}

const beforeCommit = ['put 1 before', 'put 1 during', 'put 1 after', 'put 2 before', 'put 2 during', 'put 2 after']
const afterCommit = ['remove 1 before', 'remove 1 after']
const steps = [
  ...beforeCommit.map((step) => [step, false] as const),
  ...afterCommit.map((step) => [step, true] as const),
]

describe('a killed review', () => {
  beforeEach(async () => {
    const { edgeId, cameraId } = await seedCamera(db)
    const payload = batch([candidate(cameraId, 1, { quadro: JPEG })])
    await ingestBatch({ db, media: media(), clock: { now: Date.now } }, edgeId, payload)
  })

  it.each(steps.filter(([step]) => /before$|2 after/.test(step)))(
    'at “%s” (recorded: %s) leaves the crop at the recorded path',
    async (step, recorded) => {
      expect(await runProgram('confirmado', step)).toBe('SIGKILL')
      await sweepFiles({ db, media: media(), log })
      expect((await event()).revisao_rotulo).toBe(recorded ? 'confirmado' : null)
      await expectClean()
    },
  )

  it.each([...steps, ['remove 2 before', true] as const, ['remove 2 after', true] as const])(
    'at “%s” of a second review leaves one label (the new one: %s)',
    async (step, recorded) => {
      const deps = { db, media: media(), log, clock: { now: Date.now } }
      await reviewEvent(deps, operator, 1, { rotulo_humano: 'refutado', revisor: 'Ana' })
      expect(await runProgram('confirmado', step)).toBe('SIGKILL')
      await sweepFiles({ db, media: media(), log })
      expect((await event()).revisao_rotulo).toBe(recorded ? 'confirmado' : 'refutado')
      await expectClean()
      await reviewEvent(deps, operator, 1, { rotulo_humano: 'refutado', revisor: 'Ana' })
      await expectClean()
    },
  )

  it('changes nothing on a full disk and works when space is free again', async () => {
    const deps = { db, media: media(), log, clock: { now: Date.now } }
    await writeFile(join(dir, 'media/dataset'), 'in the way')
    const review = () => reviewEvent(deps, operator, 1, { rotulo_humano: 'refutado', revisor: 'Ana' })
    await expect(review()).rejects.toThrow()
    await rm(join(dir, 'media/dataset'))
    // The next start deletes files whose deletion failed.
    await sweepFiles({ db, media: media(), log })
    expect((await event()).revisao_rotulo).toBeNull()
    await expectClean()
    expect(await review()).toMatchObject({ revisao: { rotulo_humano: 'refutado' } })
    await expectClean()
  })

  it('is written again if another process deletes its files before it is recorded', async () => {
    const files = media()
    let swept = 0
    const sweeping = {
      ...files,
      put: async (path: string, bytes: Buffer) => {
        await files.put(path, bytes)
        if (path.endsWith('.json') && swept === 0) {
          swept += 1
          await sweepFiles({ db, media: media(), log })
        }
      },
    }
    const deps = { db, media: sweeping, log, clock: { now: Date.now } }
    await reviewEvent(deps, operator, 1, { rotulo_humano: 'refutado', revisor: 'Ana' })
    expect(swept).toBe(1)
    expect((await event()).revisao_rotulo).toBe('refutado')
    await expectClean()
  })
})

it('deletes the files of a killed review at the start', async () => {
  const root = temporaryFolder('vigia-review-start-')
  await ensureInstallationPki({ dir: root, brokerHosts: [] })
  const banco = await testBanco(join(root, 'cloud/vigia.db'))
  const before = await openTestDatabase(join(root, 'cloud/vigia.db'))
  const left = 'dataset/confirmado/left-over.jpg'
  await before.insertInto('midias_a_apagar').values({ caminho: left, apagando: 0 }).execute()
  await before.destroy()
  const files = createFileMediaStore({ dir: join(root, 'cloud/media') })
  await files.put(left, JPEG)

  const env = { PORT: '0', VIGIA_DATA_DIR: root, VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1', ...banco }
  const app = createApp({ config: loadConfig(env), log, announce: () => {} })
  await app.start()
  await app.stop()
  expect(await files.read(left)).toBeNull()
  await rm(root, { recursive: true, force: true })
})
