import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { findClipeOf } from '../../../db/clipes.ts'
import { unlimitedSpace } from '../../../scope/media-space.ts'
import { startWithBackstage } from '../../../test/backstage.ts'
import { createClipCopies } from './copy-clips.ts'
import { enqueueCopy } from './store.ts'

it('makes the copy of a neighbour while those of another root Empresa take all their time', async () => {
  const { app, backstage } = await startWithBackstage()
  const dir = temporaryFolder('vigia-copies-')
  const begun: string[] = []
  const open: (() => void)[] = []
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const copies = createClipCopies({
    ...{ db: backstage.db, clock: { now: () => app.clock.now() }, log, media: createFileMediaStore({ dir }) },
    ...{ disk: { hasSpace: () => true }, space: unlimitedSpace },
    copier: {
      async copy(video) {
        const parts: Uint8Array[] = []
        for await (const part of video) parts.push(part)
        const text = Buffer.concat(parts).toString()
        begun.push(text)
        // A copy of the first root Empresa never ends by itself.
        if (text.startsWith('slow')) await new Promise<void>((resolve) => open.push(resolve))
        return Buffer.from(`copy of ${text}`)
      },
    },
  })
  try {
    const add = async (empresaId: number, text: string) => {
      const id = await backstage.event(await backstage.camera(empresaId))
      await backstage.clip(id, Buffer.from(text))
      const clipe = (await findClipeOf(backstage.db, id))?.clipe
      if (!clipe) throw new Error('no clip')
      await createFileMediaStore({ dir }).put(clipe.caminho, Buffer.from(text))
      const h265 = { codec: 'h265', codecs: 'hvc1.1.6.L93.90' } as const
      await backstage.db.updateTable('clipes').set(h265).where('id', '=', clipe.id).execute()
      await enqueueCopy(backstage.db, { ...clipe, ...h265 }, app.clock.now())
      return clipe.id
    }
    const hostile = await app.account('Cópias lentas')
    const neighbour = await app.account('Vizinha')
    for (let n = 0; n < 4; n++) await add(hostile.empresaId, `slow ${n}`)
    copies.start()
    await waitFor('the first copy', () => begun.length === 1)
    const waiting = await add(neighbour.empresaId, 'neighbour')
    copies.wake()
    await waitFor('the copy of the neighbour', async () => {
      const row = await backstage.db.selectFrom('clipes').select('copia_sha256').where('id', '=', waiting).execute()
      return row[0]?.copia_sha256 != null
    })
    expect(begun).toEqual(['slow 0', 'neighbour'])
  } finally {
    for (const resolve of open) resolve()
    await copies.stop()
    await app.stop()
    await rm(join(dir), { recursive: true, force: true })
  }
})
