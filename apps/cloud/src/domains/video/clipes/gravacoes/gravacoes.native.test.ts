import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ArquivoGravacao, Gravacao } from '@vigia/contracts/gravacoes'
import type { Comando } from '@vigia/contracts/pedidos'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../../adapters/media-store/file-media-store.ts'
import { connectAgent } from '../../../../test/clients/agent-client.ts'
import { standInFixtures } from '../../../../test/clouds/app-with-stand-in.ts'
import { uploader } from '../../../../test/records/clips.ts'
import { seedOneCamera } from '../../../../test/records/records.ts'
import { deleteEventosOf } from '../../../eventos/eventos/delete-eventos.ts'

const { app, backstage, account, edge, camera } = standInFixtures()
const guard = fixture(() => app.vigilante(account))

const file = Buffer.from(`${randomUUID()} `.repeat(2_000))
const relogio = { desvio_ms: 1_500, fuso_min: -180, z_local: false, medido: true }
let begin = 0
const arquivo = (): ArquivoGravacao => ({
  inicio: begin - 10_000,
  duracao_ms: 80_000,
  codec: 'h264',
  codecs: 'avc1.4d401f',
  largura: 640,
  altura: 360,
  tamanho: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
  completa: false,
  relogio,
  fonte: 'caixa',
})
const span = (seconds = 60) => ({
  inicio: new Date(begin).toISOString(),
  fim: new Date(begin + seconds * 1000).toISOString(),
})
const path = () => `/api/v1/cameras/${camera.cameraId}/gravacoes`
const listOf = (camera: number) => guard.expect<Gravacao[]>(200, 'GET', `/api/v1/cameras/${camera}/gravacoes`)
const create = () => guard.expect<Gravacao>(202, 'POST', path(), span())
const view = (id: number) => account.usuario.expect<Gravacao>(200, 'GET', `/api/v1/gravacoes/${id}`)
const remove = (id: number) => guard.expect(204, 'DELETE', `/api/v1/gravacoes/${id}`)
const orders = <A extends Comando['acao']>(acao: A) =>
  edge.commands.filter((comando): comando is Extract<Comando, { acao: A }> => comando.acao === acao)

beforeAll(() => {
  begin = Math.floor(app.clock.now() / 1000) * 1000 - 600_000
})
beforeEach(() => {
  edge.answer = async () => ({ ok: true, resultado: { estado: 'na_fila' } })
})

it('has the edge fetch and send a recording, and completes events without a clip', async () => {
  const ocorrido_em = begin + 5_000
  const evento = await backstage.event(camera, { ocorrido_em })
  const absent = { evento_id: evento, clipe_id: null, deslocamento_ms: 0, motivo: 'caixa_reiniciada' } as const
  await backstage.db.insertInto('clipes_eventos').values(absent).execute()
  edge.answer = async ({ acao }) =>
    acao === 'buscar_gravacao'
      ? { ok: true, resultado: { estado: 'pronta', arquivo: arquivo() } }
      : { ok: true, resultado: {} }
  const { id, estado } = await create()
  expect(estado).toBe('na_fila')
  await waitFor('the order to send the file', () => orders('enviar_clipe').length > 0)
  const [order] = orders('enviar_clipe')
  expect(orders('buscar_gravacao')[0]).toMatchObject({
    pedido: order?.clipe,
    camera_id: camera.cameraId,
    inicio: begin,
  })
  expect(await view(id)).toMatchObject({ estado: 'enviando', arquivo_url: null, relogio })
  const upload = uploader(app.url, order?.token ?? '')
  await upload.begin(order?.clipe ?? '', file.length)
  expect((await upload.send(order?.clipe ?? '', 0, file)).status).toBe(204)
  const ready = await view(id)
  expect(await account.usuario.expect(200, 'GET', path())).toEqual([ready])
  expect(ready).toMatchObject({ estado: 'pronta', completa: false, detalhe: expect.stringContaining('falta') })
  const headers = { authorization: `Bearer ${account.usuario.token}`, range: 'bytes=0-3' }
  const part = await fetch(`${app.url}${ready.arquivo_url}`, { headers })
  expect([part.status, await part.text()]).toEqual([206, file.toString('utf8', 0, 4)])
  const event = await account.usuario.expect(200, 'GET', `/api/v1/events/${evento}`)
  expect(event).toMatchObject({ clip_estado: 'guardado', clip_deslocamento_ms: 15_000 })
  // The event keeps the file.
  await remove(id)
  await account.usuario.expect(404, 'GET', `/api/v1/gravacoes/${id}`)
  await account.usuario.expect(200, 'GET', `/api/v1/events/${evento}/clip`)
  const log = await account.admin.expect<{ itens: object[] }>(200, 'GET', '/api/v1/auditoria?objeto=gravacao')
  expect(JSON.stringify(log)).toContain('"acao":"remover"')
})

it('shows the uncertain time of a file, and gives it to no event', async () => {
  const ocorrido_em = begin + 5_000
  const evento = await backstage.event(camera, { ocorrido_em })
  const absent = { evento_id: evento, clipe_id: null, deslocamento_ms: 0, motivo: 'caixa_reiniciada' } as const
  await backstage.db.insertInto('clipes_eventos').values(absent).execute()
  edge.answer = async ({ acao }) =>
    acao === 'buscar_gravacao'
      ? { ok: true, resultado: { estado: 'pronta', arquivo: { ...arquivo(), incerta_ms: 7_000 } } }
      : { ok: true, resultado: {} }
  const { id } = await create()
  await waitFor('the file', async () => (await view(id)).estado === 'enviando')
  const instant = (at: number) => new Date(at).toISOString()
  const { inicio } = arquivo()
  expect(await view(id)).toMatchObject({
    arquivo_inicio: instant(inicio),
    hora_incerta: { de: instant(inicio), ate: instant(inicio + 7_000) },
  })
  const event = await account.usuario.expect(200, 'GET', `/api/v1/events/${evento}`)
  expect(event).toMatchObject({ clip_estado: 'nunca' })
  await remove(id)
})

it('limits the fetches of a login, and ends one that is removed', async () => {
  const both = await Promise.all([create(), create()])
  const refused = await guard.expect(429, 'POST', path(), span())
  expect(refused).toMatchObject({ detail: expect.stringContaining('já busca 2') })
  await waitFor('the orders', () => orders('buscar_gravacao').length >= 2)
  for (const { id } of both) await remove(id)
  await waitFor('the end of both on the edge', () => orders('descartar_clipes').length >= 2)
  const { id } = await create()
  await remove(id)
})

it.each([
  [
    'a failure of the recorder',
    { ok: true, resultado: { estado: 'falhou', falha: 'sem_gravacao' } },
    'não tem gravação',
  ],
  [
    'the answer of a busy recorder',
    {
      ok: true,
      resultado: {
        estado: 'falhou',
        falha: 'inalcancavel',
        causa: { motivo: 'equipamento_ocupado', complemento: 'respondeu 503 a DESCRIBE' },
      },
    },
    'tente outra vez. (respondeu 503 a DESCRIBE)',
  ],
  [
    'a redirection',
    {
      ok: true,
      resultado: {
        estado: 'falhou',
        falha: 'inalcancavel',
        causa: { motivo: 'redirecionado', complemento: 'respondeu 302 a DESCRIBE: rtsp://10.9.8.7:8554' },
      },
    },
    'outro endereço',
  ],
  [
    'a reason of a later release',
    { ok: true, resultado: { estado: 'falhou', falha: 'inalcancavel', causa: { motivo: 'novo', complemento: null } } },
    'não alcançou o gravador',
  ],
  ['an edge of an earlier release', { ok: false, falha: 'comando_desconhecido' }, 'versão antiga'],
] as const)('shows %s as a sentence', async (_name, answer, text) => {
  edge.answer = async () => answer
  const { id } = await create()
  await waitFor('the failure', async () => (await view(id)).estado === 'falhou')
  expect(await view(id)).toMatchObject({ detalhe: expect.stringContaining(text), arquivo_url: null })
})

it('says while it waits what a busy recorder answered', async () => {
  const causa = { motivo: 'equipamento_ocupado', complemento: 'respondeu 503 a DESCRIBE' }
  edge.answer = async () => ({ ok: true, resultado: { estado: 'na_fila', causa } })
  const { id } = await create()
  await waitFor('the answer', async () => (await view(id)).detalhe?.includes('por até 10 minutos'))
  expect(await view(id)).toMatchObject({ estado: 'na_fila', detalhe: expect.stringContaining('respondeu 503') })
  await remove(id)
})

it('refuses a wrong span, another role and another account', async () => {
  const refused = async (body: object) => account.admin.expect(422, 'POST', path(), body)
  await refused(span(-1))
  await refused(span(901))
  await refused({ ...span(), fim: new Date(app.clock.now() + 3_600_000).toISOString() })
  await account.usuario.expect(403, 'POST', path(), span())
  const id = await backstage.gravacao(account.empresaId)
  const other = await app.account('Farmácia')
  await other.admin.expect(404, 'GET', path())
  for (const method of ['GET', 'DELETE']) await other.admin.expect(404, method, `/api/v1/gravacoes/${id}`)
})

it('is requested by itself for a confirmed event without a clip, once', async () => {
  const rtsp_url = 'rtsp://192.0.2.1/cam/realmonitor?channel=1&subtype=0'
  const camera = await seedOneCamera(backstage.db, account.empresaId, edge.id, { rtsp_url })
  const place = { empresaId: account.empresaId, edgeId: edge.id, cameraId: camera }
  const add = async (ocorrido_em: number) => {
    const evento = await backstage.event(place, { ocorrido_em })
    const absent = { evento_id: evento, clipe_id: null, deslocamento_ms: 0, motivo: 'caixa_reiniciada' } as const
    await backstage.db.insertInto('clipes_eventos').values(absent).execute()
    return evento
  }
  for (const ocorrido_em of [begin, begin + 30_000]) {
    const id = await add(ocorrido_em)
    await backstage.db.updateTable('eventos').set({ veredito_decisao: 'confirmado' }).where('id', '=', id).execute()
  }
  const review = { rotulo_humano: 'confirmado', revisor: 'Ana' }
  const reviewed = await add(begin - 200_000)
  expect(await listOf(camera)).toEqual([])
  await account.admin.expect(200, 'POST', `/api/v1/events/${reviewed}/revisao`, review)
  const requested = await waitFor('the request', async () => (await listOf(camera))[0])
  const span = { inicio: new Date(begin - 8_000).toISOString(), fim: new Date(begin + 38_000).toISOString() }
  expect(requested).toMatchObject({ ...span, pedida_por: 'Vigia' })
  await waitFor('the order', () => orders('buscar_gravacao').some(({ camera_id }) => camera_id === camera))
  // Another one of the edge waits for its end.
  expect(await listOf(camera)).toHaveLength(1)
  await remove(requested.id)
})

it('is requested once by an agent, and then has its state', async () => {
  const agent = await connectAgent(app, 'rui')
  const asked = () => agent.expect('buscar_gravacao', { camera_id: camera.cameraId, ...span(7) })
  expect(await asked()).toMatchObject({ estado: 'na_fila', progresso: 0 })
  expect(await asked()).toMatchObject({ estado: 'na_fila' })
  const listed = await guard.expect<Gravacao[]>(200, 'GET', path())
  const requested = listed.filter(({ fim }) => fim === span(7).fim)
  expect(requested).toHaveLength(1)
  await remove(requested[0]?.id ?? 0)
  await agent.close()
})

it('goes with its Empresa', async () => {
  const { empresaId } = await app.account('Padaria')
  const id = await backstage.gravacao(empresaId)
  const media = createFileMediaStore({ dir: join(app.dataDir, 'cloud/media') })
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const clipes = () => backstage.db.selectFrom('clipes').selectAll().where('empresa_id', '=', empresaId).execute()
  const [before] = await clipes()
  while ((await deleteEventosOf({ db: backstage.db, media, log }, empresaId)) > 0);
  expect(await backstage.db.selectFrom('gravacoes').selectAll().where('id', '=', id).execute()).toEqual([])
  expect([await clipes(), await media.size(before?.caminho ?? '')]).toEqual([[], null])
})
