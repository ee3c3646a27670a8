import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { encodeExtras } from '@vigia/link/extras-batch'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { createPartialUploads } from '../../../adapters/partial-uploads.ts'
import { transact } from '../../../db/transaction.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { clipOf, uploader } from '../../../test/records/clips.ts'
import { fillWithLimit, usedBytes } from '../../../test/stores/espaco-store.ts'
import { deleteEventosOf } from '../../eventos/eventos/delete-eventos.ts'
import { CREDENTIAL_MS, issueCredential } from '../../locais/edges/edge-credentials.ts'
import { ingestExtras } from '../../operacao/ingestao/ingest-extras.ts'
import { sweepUploads } from './sweep-uploads.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
let evento: number
let made: ReturnType<typeof clipOf>

const media = () => createFileMediaStore({ dir: join(app.dataDir, 'cloud/media') })
const partials = () => readdir(join(app.dataDir, 'cloud/envios')).catch(() => [])
const clipe = () => backstage.db.selectFrom('clipes').selectAll().where('uuid', '=', made.extra.id).executeTakeFirst()
const token = (alvo = made.extra.id, edgeId = camera.edgeId, now = app.clock.now()) =>
  transact(backstage.db, (tx) => issueCredential(tx, { edgeId, finalidade: 'clipe', alvo }, now))
const detail = async (answer: Response) => [answer.status, ((await answer.json()) as { detail: unknown }).detail]

async function announce(items = [made.item], edgeId = camera.edgeId) {
  const deps = { db: backstage.db, media: media(), clock: app.clock }
  const ingested = await ingestExtras(deps, edgeId, encodeExtras(items) ?? Buffer.alloc(0))
  return ingested.ok ? ingested.respostas.map(({ resultado }) => resultado) : []
}

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const account = freshFixture(() => app.account(`Clipes ${randomUUID().slice(0, 8)}`))
const camera = freshFixture(() => backstage.camera(account.empresaId))

beforeEach(async () => {
  const uuid = randomUUID()
  evento = await backstage.event(camera, { uuid })
  made = clipOf(camera.cameraId, [uuid])
  expect(await announce()).toEqual(['gravado'])
})

describe('an upload', () => {
  it('continues after an interruption, and moves into the media store with its last byte', async () => {
    const edge = uploader(app.url, await token())
    const { file, extra } = made
    const begun = await edge.begin(extra.id, file.length)
    expect([begun.status, begun.headers.get('location')]).toEqual([201, `/api/v1/edges/envios/${extra.id}`])
    expect((await edge.send(extra.id, 0, file.subarray(0, 100_000))).status).toBe(204)
    expect((await edge.begin(extra.id, file.length)).status).toBe(201)
    expect(await edge.offset(extra.id)).toBe(100_000)
    const shown = await account.admin.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${evento}`)
    expect(shown.clip_detalhe).toContain(`enviado pela caixa: ${Math.floor(10_000_000 / file.length)} %`)
    expect(await detail(await edge.send(extra.id, 0, file))).toEqual([409, expect.stringContaining('outra posição')])
    const done = await edge.send(extra.id, 100_000, file.subarray(100_000))
    expect([done.status, done.headers.get('upload-offset')]).toEqual([204, String(file.length)])
    const stored = await clipe()
    expect(stored).toMatchObject({ estado: 'guardado', tamanho: file.length })
    expect(await media().read(stored?.caminho ?? '')).toEqual(file)
    const row = await backstage.db.selectFrom('eventos').select('clipe_em').where('id', '=', evento).executeTakeFirst()
    expect(row?.clipe_em).toBe(stored?.guardado_em)
    expect(await partials()).not.toContain(extra.id)
    expect(await detail(await edge.send(extra.id, 0, file))).toEqual([401, expect.stringContaining('já terminou')])
    // The answer to the last bytes may be lost.
    expect(await edge.offset(extra.id)).toBe(file.length)
  })

  it.each([
    ['of another edge', async () => token(made.extra.id, (await backstage.camera(account.empresaId)).edgeId), 403],
    ['of another clip', async () => token(randomUUID()), 403],
    ['that expired', async () => token(made.extra.id, camera.edgeId, app.clock.now() - CREDENTIAL_MS), 401],
    ['of a session', async () => account.admin.token, 401],
    ['that nobody issued', async () => 'A'.repeat(43), 401],
  ])('with a token %s is refused', async (_name, tokenOf, status) => {
    const edge = uploader(app.url, await tokenOf())
    const answer = await edge.begin(made.extra.id, made.file.length)
    expect(await detail(answer)).toEqual([status, expect.stringMatching(/\.$/)])
    expect((await edge.send(made.extra.id, 0, made.file)).status).toBe(status)
    expect(await clipe()).toMatchObject({ estado: 'na_caixa' })
    expect(await partials()).not.toContain(made.extra.id)
  })

  it('is refused when its edge was removed', async () => {
    const edge = uploader(app.url, await token())
    await backstage.db.updateTable('edges').set({ ativado_em: null }).where('id', '=', camera.edgeId).execute()
    expect((await edge.begin(made.extra.id, made.file.length)).status).toBe(401)
  })

  it('of another length or another content is refused, and may begin again', async () => {
    const edge = uploader(app.url, await token())
    const { file, extra } = made
    expect((await edge.begin(extra.id, file.length + 1)).status).toBe(409)
    expect((await edge.send(extra.id, 0, Buffer.concat([file, Buffer.from('x')]))).status).toBe(413)
    expect(await edge.offset(extra.id)).toBe(0)
    const other = Buffer.from(file).fill('y', 10, 20)
    expect(await detail(await edge.send(extra.id, 0, other))).toEqual([409, expect.stringContaining('SHA-256')])
    expect([await edge.offset(extra.id), (await clipe())?.estado]).toEqual([0, 'na_caixa'])
    expect(await media().size((await clipe())?.caminho ?? '')).toBeNull()
    expect((await edge.send(extra.id, 0, file)).status).toBe(204)
    expect((await clipe())?.estado).toBe('guardado')
  })

  it('waits while its Empresa has no space, and keeps its bytes', async () => {
    const edge = uploader(app.url, await token())
    const { file, extra } = made
    expect((await edge.begin(extra.id, file.length)).status).toBe(201)
    expect((await edge.send(extra.id, 0, file.subarray(0, 100_000))).status).toBe(204)
    await fillWithLimit(backstage.db, account.empresaId, 100_000)
    const refused = await edge.send(extra.id, 100_000, file.subarray(100_000))
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await detail(refused)).toEqual([503, expect.stringContaining('limite de espaço')])
    expect(await edge.offset(extra.id)).toBe(100_000)
    await fillWithLimit(backstage.db, account.empresaId, 10_000_000)
    expect((await edge.send(extra.id, 100_000, file.subarray(100_000))).status).toBe(204)
    expect((await clipe())?.estado).toBe('guardado')
    expect(await usedBytes(backstage.db, account.empresaId)).toBeGreaterThanOrEqual(file.length)
  })

  it('that was complete when the process ended is stored at the next question', async () => {
    const { file, extra } = made
    const partial = createPartialUploads({ dir: join(app.dataDir, 'cloud/envios') })
    await partial.append(
      extra.id,
      (async function* () {
        yield file
      })(),
      { offset: 0, limit: file.length },
    )
    // The process ended between the file and its row.
    const caminho = (await clipe())?.caminho ?? ''
    await media().put(caminho, file)
    await backstage.db.insertInto('midias_a_apagar').values({ caminho, apagando: 0 }).execute()
    expect(await uploader(app.url, await token()).offset(extra.id)).toBe(file.length)
    expect((await clipe())?.estado).toBe('guardado')
    const listed = await backstage.db.selectFrom('midias_a_apagar').selectAll().where('caminho', '=', caminho).execute()
    expect(listed).toEqual([])
  })

  it('without new bytes for 24 h, or of a deleted clip, is removed', async () => {
    const edge = uploader(app.url, await token())
    const { file, extra } = made
    await edge.send(extra.id, 0, file.subarray(0, 1_000))
    const partial = createPartialUploads({ dir: join(app.dataDir, 'cloud/envios') })
    const sweep = (now: number) => sweepUploads({ db: backstage.db, clock: { now: () => now }, partial, log })
    await sweep(Date.now() + 23 * 3_600_000)
    expect(await partials()).toContain(extra.id)
    await sweep(Date.now() + 25 * 3_600_000)
    expect(await partials()).not.toContain(extra.id)
    await edge.send(extra.id, 0, file.subarray(0, 1_000))
    await deleteEventosOf({ db: backstage.db, media: media(), log }, account.empresaId)
    expect(await detail(await edge.send(extra.id, 1_000, file.subarray(1_000)))).toEqual([
      404,
      expect.stringContaining('não existe mais'),
    ])
    await sweep(Date.now())
    expect(await partials()).not.toContain(extra.id)
  })
})

describe('a clip', () => {
  it('is stored once, with its events and its strip', async () => {
    expect(await announce()).toEqual(['repetido'])
    const stored = await clipe()
    expect(stored).toMatchObject({ estado: 'na_caixa', desejado: 0, empresa_id: account.empresaId })
    expect(await media().read(stored?.tira ?? '')).toEqual(made.item.imagem)
    const members = await backstage.db
      .selectFrom('clipes_eventos')
      .selectAll()
      .where('evento_id', '=', evento)
      .execute()
    expect(members).toEqual([{ evento_id: evento, clipe_id: stored?.id, deslocamento_ms: 5_000, motivo: null }])
  })

  it('is wanted when one of its events is confirmed, before or after its arrival', async () => {
    await backstage.verdict(evento, 'confirmado', 'baixa')
    expect((await clipe())?.desejado).toBe(1)
    const uuid = randomUUID()
    await backstage.verdict(await backstage.event(camera, { uuid }), 'confirmado')
    const later = clipOf(camera.cameraId, [uuid])
    await announce([later.item])
    const row = await backstage.db.selectFrom('clipes').select('desejado').where('uuid', '=', later.extra.id).execute()
    expect(row).toEqual([{ desejado: 1 }])
  })

  it('of a refuted event is not wanted, and its loss has a reason', async () => {
    await backstage.verdict(evento, 'refutado')
    expect((await clipe())?.desejado).toBe(0)
    const absence = {
      tipo: 'sem_clipe',
      v: 1,
      id: randomUUID(),
      camera_id: camera.cameraId,
      evento: made.extra.eventos[0]?.evento ?? '',
      motivo: 'expirado',
      imagem: null,
    } as const
    expect(await announce([{ extra: absence, imagem: Buffer.alloc(0) }] as never)).toEqual(['gravado'])
    expect(await clipe()).toMatchObject({ estado: 'perdido', motivo: 'expirado' })
  })

  it('from the recorder stays, when the edge repeats that it has none', async () => {
    const id = await backstage.gravacao(account.empresaId)
    const of = await backstage.db
      .selectFrom('gravacoes')
      .innerJoin('clipes_eventos', 'clipes_eventos.clipe_id', 'gravacoes.clipe_id')
      .innerJoin('eventos', 'eventos.id', 'clipes_eventos.evento_id')
      .select(['gravacoes.clipe_id', 'eventos.uuid', 'eventos.camera_id', 'eventos.edge_id'])
      .where('gravacoes.id', '=', id)
      .executeTakeFirstOrThrow()
    const clipes = () => backstage.db.selectFrom('clipes').select('estado').where('id', '=', of.clipe_id).execute()
    await backstage.db.updateTable('clipes').set({ estado: 'na_caixa' }).where('id', '=', of.clipe_id).execute()
    const absence = {
      tipo: 'sem_clipe',
      v: 1,
      id: randomUUID(),
      camera_id: of.camera_id,
      evento: of.uuid,
      motivo: 'caixa_reiniciada',
      imagem: null,
    } as const
    expect(await announce([{ extra: absence, imagem: Buffer.alloc(0) }] as never, of.edge_id)).toEqual(['gravado'])
    expect(await clipes()).toEqual([{ estado: 'na_caixa' }])
  })

  it('of another edge, of no known event, or of an event with a clip is refused', async () => {
    const other = await backstage.camera(account.empresaId)
    expect(await announce([clipOf(camera.cameraId, [made.extra.eventos[0]?.evento ?? '']).item])).toEqual(['recusado'])
    expect(await announce([clipOf(camera.cameraId, [randomUUID()]).item])).toEqual(['recusado'])
    const uuid = randomUUID()
    await backstage.event(camera, { uuid })
    expect(await announce([clipOf(camera.cameraId, [uuid]).item], other.edgeId)).toEqual(['recusado'])
  })

  it('goes with the last of its events, with its files', async () => {
    await uploader(app.url, await token()).send(made.extra.id, 0, made.file)
    const stored = await clipe()
    await deleteEventosOf({ db: backstage.db, media: media(), log }, account.empresaId)
    expect(await clipe()).toBeUndefined()
    for (const path of [stored?.caminho, stored?.tira]) expect(await media().size(path ?? '')).toBeNull()
  })
})
