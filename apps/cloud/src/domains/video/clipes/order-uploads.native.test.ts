import { randomUUID } from 'node:crypto'
import type { ContagemApagamento } from '@vigia/contracts/apagamentos'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { encodeExtras } from '@vigia/link/extras-batch'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { standInFixtures } from '../../../test/clouds/app-with-stand-in.ts'
import { clipOf, uploader } from '../../../test/records/clips.ts'

const { app, backstage, account, edge, camera } = standInFixtures()

const ordered = () => edge.commands.flatMap((comando) => (comando.acao === 'enviar_clipe' ? [comando] : []))
const stateOf = async (uuid: string) =>
  (await backstage.db.selectFrom('clipes').select('estado').where('uuid', '=', uuid).executeTakeFirst())?.estado

/** Waits until no pass of orders runs. Work that is added during a refused pass waits as long as its orders. */
const passEnds = () =>
  waitFor('the end of the orders under way', async () => {
    const works = backstage.db.selectFrom('trabalhos').select('id').where('tipo', '=', 'clipe')
    return (await works.where('posse', 'is not', null).executeTakeFirst()) === undefined
  })

/** Sends the clip of a new event over the link, and waits until it is stored. @param n minutes after the first */
async function arrives(n: number) {
  const uuid = randomUUID()
  const evento = await backstage.event(camera, { uuid })
  const made = clipOf(camera.cameraId, [uuid], { inicio: Date.UTC(2026, 10, 21, 12, n) })
  await edge.link.publishExtras(encodeExtras([made.item]) ?? Buffer.alloc(0))
  await waitFor('the clip to be known', async () => (await stateOf(made.extra.id)) !== undefined)
  return { ...made, evento }
}

/** Advances the clock. The edge, which counts as absent from then on, comes back by its report. */
async function later(minutes: number, what: string, probe: () => boolean) {
  app.clock.advance(minutes * 60_000)
  await waitFor('the edge to be absent', async () => {
    const row = await backstage.db.selectFrom('edges').select('presente').where('id', '=', edge.id).executeTakeFirst()
    return row?.presente === 0
  })
  await edge.link.publishReport({
    v: 1,
    config_versao: 1,
    versao: '0.1.0',
    instancia: randomUUID(),
    enviado_em: Date.now(),
    relogio: { desvio_ms: 0, sincronizado: true },
    cameras: [],
    certificado: { sha256: '00'.repeat(32), vence_em: Date.now() + 86_400_000 },
    fila: 0,
    fila_memoria: 0,
    disco_gravavel: true,
    disco: null,
    memoria: null,
    cpu: null,
    temperatura: null,
  })
  await waitFor(what, probe)
}

it('orders confirmed clips, newest first, and refuted ones never', async () => {
  // The edge is busy, so that both clips wait.
  edge.answer = async () => ({ ok: false, falha: 'ocupado' })
  const [older, newer, refuted] = [await arrives(1), await arrives(2), await arrives(3)]
  await backstage.verdict(refuted.evento, 'refutado')
  for (const { evento } of [older, newer]) await backstage.verdict(evento, 'confirmado')
  await waitFor('a first order', () => ordered().length > 0)
  edge.answer = async () => ({ ok: true, resultado: {} })
  const before = ordered().length
  await later(6, 'both orders', () => ordered().length >= before + 2)
  const clips = ordered().slice(before)
  expect(clips.map(({ clipe }) => clipe)).toEqual([newer.extra.id, older.extra.id])
  const [first] = clips
  const upload = uploader(app.url, first?.token ?? '')
  expect((await upload.begin(newer.extra.id, newer.file.length)).status).toBe(201)
  expect((await upload.send(newer.extra.id, 0, newer.file)).status).toBe(204)
  expect(await stateOf(newer.extra.id)).toBe('guardado')
  await waitFor('the edge to be told', () =>
    edge.commands.some((comando) => comando.acao === 'descartar_clipes' && comando.clipes.includes(newer.extra.id)),
  )
  expect([await stateOf(older.extra.id), await stateOf(refuted.extra.id)]).toEqual(['pedido', 'na_caixa'])
})

it('orders again with a new token after the first has expired, and gives up an unknown clip', async () => {
  const { extra, evento } = await arrives(4)
  await backstage.verdict(evento, 'confirmado')
  const mine = () => ordered().filter(({ clipe }) => clipe === extra.id)
  await waitFor('the order', () => mine().length === 1)
  edge.answer = async () => ({ ok: false, falha: 'clipe_desconhecido' })
  await later(16, 'the second order', () => mine().length === 2)
  await waitFor('the clip to be lost', async () => (await stateOf(extra.id)) === 'perdido')
  await passEnds()
  expect(new Set(mine().map(({ token }) => token)).size).toBe(2)
})

it('has the edge discard its copy of a deleted clip, until it answers', async () => {
  const { extra, evento } = await arrives(5)
  const discards = () =>
    edge.commands.filter(({ acao, ...rest }) => acao === 'descartar_clipes' && JSON.stringify(rest).includes(extra.id))
  const listed = () => backstage.db.selectFrom('clipes_a_descartar').select('uuid').execute()
  // An order of the tests before may still be open: refused, it would come before the discards again.
  edge.answer = async ({ acao }) =>
    acao === 'descartar_clipes' ? { ok: false, falha: 'ocupado' } : { ok: true, resultado: {} }
  const { ocorrido_em, empresa_id } = await backstage.db
    .selectFrom('eventos')
    .select(['ocorrido_em', 'empresa_id'])
    .where('id', '=', evento)
    .executeTakeFirstOrThrow()
  const at = (ms: number) => new Date(ocorrido_em + ms).toISOString()
  const period = { inicio: at(0), fim: at(1) }
  const path = `/api/v1/empresas/${empresa_id}/apagamentos`
  const query = new URLSearchParams(period)
  const { eventos, gravacoes, preservados } = await account.admin.expect<ContagemApagamento>(
    ...([200, 'GET', `${path}/contagem?${query}`] as const),
  )
  const contagem = { eventos, gravacoes, preservados }
  await account.admin.expect(202, 'POST', path, { ...period, cameras: null, motivo: 'Pedido 1', contagem })
  await waitFor('the command', () => discards().length === 1)
  expect(await listed()).toEqual([{ uuid: extra.id }])
  edge.answer = async () => ({ ok: true, resultado: {} })
  await later(6, 'the repeated command', () => discards().length === 2)
  await waitFor('the end of the list', async () => (await listed()).length === 0)
})

it('has the edge discard the clips of a removed camera that nobody wants, also those that arrive later', async () => {
  const [refuted, confirmed] = [await arrives(6), await arrives(7)]
  edge.answer = async () => ({ ok: false, falha: 'ocupado' })
  await backstage.verdict(confirmed.evento, 'confirmado')
  await waitFor('the refused order', () => ordered().some(({ clipe }) => clipe === confirmed.extra.id))
  await passEnds()
  edge.answer = async () => ({ ok: true, resultado: {} })
  const late = randomUUID()
  const lateEvento = await backstage.event(camera, { uuid: late })
  await account.admin.expect(204, 'DELETE', `/api/v1/cameras/${camera.cameraId}`)
  const isDiscarded = (uuid: string) =>
    edge.commands.some((comando) => comando.acao === 'descartar_clipes' && comando.clipes.includes(uuid))
  await waitFor('the command', () => isDiscarded(refuted.extra.id))
  expect(isDiscarded(confirmed.extra.id)).toBe(false)
  const { clip_estado, clip_detalhe } = await account.admin.expect<EventoDetalhe>(
    ...([200, 'GET', `/api/v1/events/${refuted.evento}`] as const),
  )
  expect([clip_estado, clip_detalhe]).toEqual(['nunca', expect.stringContaining('a câmera foi removida')])
  const made = clipOf(camera.cameraId, [late])
  await edge.link.publishExtras(encodeExtras([made.item]) ?? Buffer.alloc(0))
  await waitFor('the command for the later clip', () => isDiscarded(made.extra.id))
  expect((await account.admin.send('GET', `/api/v1/events/${lateEvento}/clip`)).status).toBe(404)
})
