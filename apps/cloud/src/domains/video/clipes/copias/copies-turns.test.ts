import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../../adapters/media-store/file-media-store.ts'
import { findClipeOf } from '../../../../db/clipes.ts'
import type { Worker } from '../../../../db/work-queue/worker.ts'
import { unlimitedSpace } from '../../../../scope/media-space.ts'
import { type Backstage, openBackstage } from '../../../../test/clouds/backstage.ts'
import { seedCamera } from '../../../../test/records/records.ts'
import { COPY_MS, createClipCopies } from './copy-clips.ts'
import { enqueueCopy } from './store.ts'

/** Without an app, whose own worker would take the copies. */
let backstage: Backstage
let dir: string
let copies: Worker
/** The copies in the order of their begin; `*`: a slow one. */
let begun: string[]
/** Ends the copies of these texts that are under way as late. */
let late: Map<string, () => void>

beforeEach(async () => {
  dir = temporaryFolder('vigia-copies-')
  backstage = await openBackstage({ url: '', dataDir: dir, clock: { now: Date.now, advance: () => {} } })
  begun = []
  late = new Map()
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  copies = createClipCopies({
    db: backstage.db,
    clock: { now: Date.now },
    log,
    media: createFileMediaStore({ dir }),
    disk: { hasSpace: () => true },
    space: unlimitedSpace,
    copier: {
      isReady: () => true,
      async copy(video, timeoutMs) {
        const parts: Uint8Array[] = []
        for await (const part of video) parts.push(part)
        const text = Buffer.concat(parts).toString()
        begun.push(timeoutMs === COPY_MS ? text : `${text}*`)
        if (!text.startsWith('slow')) return Buffer.from(`copy of ${text}`)
        await new Promise<void>((resolve) => late.set(text, resolve))
        return 'demorou'
      },
    },
  })
})
afterEach(async () => {
  for (const resolve of late.values()) resolve()
  await copies.stop()
  await backstage.close()
  await rm(join(dir), { recursive: true, force: true })
})

/** A clip of an Empresa whose copy is wanted. */
async function add(empresaId: number, text: string): Promise<number> {
  const id = await backstage.event(await backstage.camera(empresaId))
  await backstage.clip(id, Buffer.from(text))
  const clipe = (await findClipeOf(backstage.db, id))?.clipe
  if (!clipe) throw new Error('no clip')
  await createFileMediaStore({ dir }).put(clipe.caminho, Buffer.from(text))
  const h265 = { codec: 'h265', codecs: 'hvc1.1.6.L93.90' } as const
  await backstage.db.updateTable('clipes').set(h265).where('id', '=', clipe.id).execute()
  await enqueueCopy(backstage.db, { ...clipe, ...h265 }, Date.now())
  copies.wake()
  return clipe.id
}
const rowOf = (id: number) =>
  backstage.db.selectFrom('clipes').select(['copia_sha256', 'copia_falha']).where('id', '=', id).executeTakeFirst()
const isCopied = (id: number) => waitFor('the copy', async () => ((await rowOf(id))?.copia_sha256 ?? null) !== null)
const hasBegun = (count: number) => waitFor(`${count} copies`, () => begun.length === count)

it('makes the copy of a neighbour while those of another root Empresa take all their time', async () => {
  const hostile = await seedCamera(backstage.db)
  const neighbour = await seedCamera(backstage.db)
  for (let n = 0; n < 4; n++) await add(hostile.empresaId, `slow ${n}`)
  copies.start()
  await hasBegun(1)
  await isCopied(await add(neighbour.empresaId, 'neighbour'))
  expect(begun).toEqual(['slow 0', 'neighbour'])
})

it('makes the copies of other root Empresas while those of two hang in turn', async () => {
  const { db } = backstage
  const [one, two, third] = [await seedCamera(db), await seedCamera(db), await seedCamera(db)]
  const hanging = await add(one.empresaId, 'slow 1')
  await add(two.empresaId, 'slow 2')
  copies.start()
  await hasBegun(2)
  const waiting = await add(third.empresaId, 'third')
  // Both slots end their copies at the limit. The third root has its turn, and one slow copy hangs.
  late.get('slow 1')?.()
  late.get('slow 2')?.()
  await isCopied(waiting)
  await waitFor('a slow copy', () => begun.some((text) => text.endsWith('*')))
  const [slow] = begun.filter((text) => text.endsWith('*'))
  for (const text of ['another', 'one more']) await isCopied(await add(third.empresaId, text))
  await isCopied(await add(one.empresaId, 'short'))
  expect(begun.filter((text) => text.endsWith('*'))).toEqual([slow])
  // A copy that also takes all of the long time has failed.
  late.get('slow 1')?.()
  late.get('slow 2')?.()
  await waitFor('the end of both', () => {
    for (const resolve of late.values()) resolve()
    return begun.filter((text) => text.endsWith('*')).length >= 2
  })
  await waitFor('the failure', async () => {
    for (const resolve of late.values()) resolve()
    return (await rowOf(hanging))?.copia_falha === 'falhou'
  })
})

it('adds a copy once that waits among the slow ones', async () => {
  const one = await seedCamera(backstage.db)
  const id = await add(one.empresaId, 'slow 1')
  copies.start()
  await hasBegun(1)
  late.get('slow 1')?.()
  await hasBegun(2)
  const clipe = await backstage.db.selectFrom('clipes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await enqueueCopy(backstage.db, clipe, Date.now())
  const works = await backstage.db.selectFrom('trabalhos').select('tipo').where('chave', '=', String(id)).execute()
  expect(works).toEqual([{ tipo: 'copia_lenta' }])
})
