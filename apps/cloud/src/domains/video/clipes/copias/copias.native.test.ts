import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { inspectMp4 } from '@vigia/video/test-peer/inspect-mp4'
import { expect, it } from 'vitest'
import { createFileMediaStore } from '../../../../adapters/media-store/file-media-store.ts'
import { copyPath, findClipeOf } from '../../../../db/clipes.ts'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../../test/clouds/test-app.ts'
import { deleteEventosOf } from '../../../eventos/eventos/delete-eventos.ts'

const H265 = new URL('../../../../../../dvr-simulator/footage/campus-c-h265.mp4', import.meta.url)
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const account = fixture(() => app.account('Cópias'))

const media = () => createFileMediaStore({ dir: join(app.dataDir, 'cloud/media') })

/** An event with this clip in H.265. */
async function eventWith(file: Buffer): Promise<number> {
  const id = await backstage.event(await backstage.camera(account.empresaId))
  await backstage.clip(id, file)
  const clipe = (await findClipeOf(backstage.db, id))?.clipe
  const change = { codec: 'h265', codecs: 'hvc1.1.6.L93.90' } as const
  await backstage.db
    .updateTable('clipes')
    .set(change)
    .where('id', '=', clipe?.id ?? 0)
    .execute()
  return id
}
const ask = (id: number, headers: Record<string, string> = {}, formato = 'h264') =>
  fetch(`${app.url}/api/v1/events/${id}/clip?formato=${formato}`, {
    headers: { authorization: `Bearer ${account.usuario.token}`, ...headers },
  })
/** The answer after the copy has ended. */
const settled = (id: number) =>
  waitFor('the end of the copy', async () => {
    const answer = await ask(id)
    if (answer.status !== 202) return answer
    await answer.arrayBuffer()
    return null
  })
const copyOf = async (id: number) => copyPath((await findClipeOf(backstage.db, id))?.clipe?.caminho ?? '')

it('is made once, at the first request, and sent like the clip', async () => {
  const id = await eventWith(await readFile(H265))
  const first = await ask(id)
  expect([first.status, first.headers.get('retry-after')]).toEqual([202, '2'])
  expect(await first.json()).toMatchObject({ clip_detalhe: expect.stringContaining('fazendo uma cópia') })
  const answer = await settled(id)
  const copy = Buffer.from(await answer.arrayBuffer())
  const { codec, width, height, decoded, duration, messages } = await inspectMp4(copy)
  expect({ codec, width, height, decoded, messages }).toEqual({
    codec: 'h264',
    width: 384,
    height: 288,
    decoded: 120,
    messages: [],
  })
  expect(duration).toBeCloseTo(12, 1)
  expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(copy).digest('hex')}"`)
  const part = await ask(id, { range: 'bytes=4-7' })
  expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
  const original = await ask(id, {}, 'original')
  expect(Buffer.from(await original.arrayBuffer()).equals(await readFile(H265))).toBe(true)
  const path = await copyOf(id)

  await deleteEventosOf({ db: backstage.db, media: media(), log }, account.empresaId)
  expect(await media().size(path)).toBeNull()
  expect((await ask(id)).status).toBe(404)
})

it('is refused with the reason for a file that cannot be decoded', async () => {
  const id = await eventWith(Buffer.from('not a video '.repeat(1_000)))
  const answer = await settled(id)
  expect(answer.status).toBe(409)
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('não conseguiu fazer a cópia') })
})

it('is the clip itself if that is H.264', async () => {
  const id = await backstage.event(await backstage.camera(account.empresaId))
  await backstage.clip(id, Buffer.from('0123456789'))
  const answer = await ask(id)
  expect([answer.status, await answer.text()]).toEqual([200, '0123456789'])
})

it('leaves no file if its event is deleted while it is made', async () => {
  const id = await eventWith(await readFile(H265))
  const path = await copyOf(id)
  expect((await ask(id)).status).toBe(202)
  await deleteEventosOf({ db: backstage.db, media: media(), log }, account.empresaId)
  await waitFor('the end of the work', async () => {
    const rows = await backstage.db.selectFrom('trabalhos').select('id').where('tipo', '=', 'copia').execute()
    const listed = await backstage.db.selectFrom('midias_a_apagar').selectAll().where('caminho', '=', path).execute()
    return rows.length === 0 && listed.length === 0
  })
  expect(await media().size(path)).toBeNull()
})
