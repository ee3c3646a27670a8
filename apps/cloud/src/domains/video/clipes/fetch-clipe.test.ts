import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { EventoDetalhe, SituacaoClipe } from '@vigia/contracts/eventos'
import { encodeExtras } from '@vigia/link/extras-batch'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { clipOf } from '../../../test/records/clips.ts'
import { ingestExtras } from '../../operacao/ingestao/ingest-extras.ts'

let evento: number
let without: number
let made: ReturnType<typeof clipOf>

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const account = fixture(() => app.account('Loja'))

beforeAll(async () => {
  const camera = await backstage.camera(account.empresaId)
  const uuid = randomUUID()
  evento = await backstage.event(camera, { uuid })
  without = await backstage.event(camera)
  made = clipOf(camera.cameraId, [uuid])
  const media = createFileMediaStore({ dir: join(app.dataDir, 'cloud/media') })
  const deps = { db: backstage.db, media, clock: app.clock }
  await ingestExtras(deps, camera.edgeId, encodeExtras([made.item]) ?? Buffer.alloc(0))
  await backstage.verdict(evento, 'refutado')
})

const detail = (id = evento) => account.usuario.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)
const fetchClip = (id = evento, by = account.usuario) => by.send<SituacaoClipe>('POST', `/api/v1/events/${id}/clip`)
const desired = () => backstage.db.selectFrom('clipes').select('desejado').executeTakeFirst()

it('requests the clip of a refuted event once, also by a usuario', async () => {
  expect(await detail()).toMatchObject({ clip_estado: 'na_caixa', strip_url: `/api/v1/events/${evento}/strip` })
  const outra = await app.account('Farmácia')
  expect((await fetchClip(evento, outra.admin)).status).toBe(404)
  expect(await desired()).toEqual({ desejado: 0 })
  for (let i = 0; i < 2; i += 1) {
    const { status, body } = await fetchClip()
    expect([status, body]).toEqual([202, { clip_estado: 'a_caminho', clip_detalhe: expect.stringContaining('vez') }])
  }
  expect(await desired()).toEqual({ desejado: 2 })
  const log = await account.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?acao=buscar_clipe')
  expect(log.map(({ objeto, objeto_id }) => [objeto, objeto_id])).toEqual([['evento', evento]])
})

it('says why there is nothing to request', async () => {
  const none = await fetchClip(without)
  expect([none.status, none.body]).toEqual([409, { detail: expect.stringContaining('ainda não montou') }])
  await backstage.db.updateTable('eventos').set({ passagem_id: 1 }).where('id', '=', without).execute()
  const ofPassage = await fetchClip(without)
  expect([ofPassage.status, ofPassage.body]).toEqual([409, { detail: expect.stringContaining('está no gravador') }])
  await backstage.db.updateTable('eventos').set({ passagem_id: null }).where('id', '=', without).execute()
  await backstage.db.updateTable('clipes').set({ estado: 'perdido', motivo: 'expirado' }).execute()
  const lost = await fetchClip()
  expect([lost.status, lost.body]).toEqual([409, { detail: expect.stringContaining('não está mais na caixa') }])
})

it('shows the strip to those who see the event', async () => {
  const strip = (token: string, id: number) =>
    fetch(`${app.url}/api/v1/events/${id}/strip`, { headers: { authorization: `Bearer ${token}` } })
  const shown = await strip(account.usuario.token, evento)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(Buffer.from(await shown.arrayBuffer()).equals(made.item.imagem)).toBe(true)
  expect((await strip(account.usuario.token, without)).status).toBe(404)
  expect((await strip((await app.account('Mercado')).admin.token, evento)).status).toBe(404)
  expect((await detail(without)).strip_url).toBeNull()
})

it('names an edge of an earlier release only if the edge has never announced a clip', async () => {
  await backstage.db.deleteFrom('clipes_eventos').execute()
  await backstage.db.deleteFrom('clipes').execute()
  const early = await fetchClip()
  expect([early.status, early.body]).toEqual([409, { detail: expect.stringContaining('ainda não montou') }])
  app.clock.advance(11 * 60_000)
  const old = await fetchClip()
  expect([old.status, old.body]).toEqual([409, { detail: expect.stringContaining('Caixas de versões anteriores') }])
})
