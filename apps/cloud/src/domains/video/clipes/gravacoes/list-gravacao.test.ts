import type { GravacaoListada, ListaGravacao } from '@vigia/contracts/gravacoes'
import { expect, it } from 'vitest'
import { standInFixtures } from '../../../../test/clouds/app-with-stand-in.ts'
import { seedOneCamera } from '../../../../test/records/records.ts'

const { app, backstage, account, edge, camera } = standInFixtures()

const relogio = { desvio_ms: 1_500, fuso_min: -180, z_local: false, medido: true }
const DAY_MS = 24 * 3_600_000
const begin = () => Math.floor(app.clock.now() / DAY_MS) * DAY_MS
const iso = (ms: number) => new Date(ms).toISOString()
const path = (from = begin(), to = from + DAY_MS, id = camera.cameraId) =>
  `/api/v1/cameras/${id}/gravacao?inicio=${iso(from)}&fim=${iso(to)}`
const holds = (resultado: ListaGravacao) => {
  edge.answer = async () => ({ ok: true, resultado })
}

it('lists for a usuario what the recorder and the edge hold', async () => {
  const trechos = [{ de: begin(), ate: begin() + 1_000 }]
  const unsure = { de: begin() + 20_000, ate: begin() + 21_000, incerta_ms: 60_000 }
  const caixa = [{ de: begin() + 5_000, ate: begin() + 9_000 }, unsure]
  holds({ gravador: { estado: 'lista', trechos, completa: true, relogio }, caixa })
  expect(await account.usuario.expect<GravacaoListada>(200, 'GET', path())).toEqual({
    camera_id: camera.cameraId,
    inicio: iso(begin()),
    fim: iso(begin() + DAY_MS),
    trechos: [
      { inicio: iso(begin()), fim: iso(begin() + 1_000), fonte: 'gravador' },
      { inicio: iso(begin() + 5_000), fim: iso(begin() + 9_000), fonte: 'caixa' },
      {
        inicio: iso(unsure.de),
        fim: iso(unsure.ate),
        fonte: 'caixa',
        hora_incerta: { de: iso(unsure.de), ate: iso(unsure.de + 60_000) },
      },
    ],
    gravador: 'completa',
    detalhe: null,
    relogio,
  })
  expect(edge.commands.at(-1)).toEqual({
    acao: 'listar_gravacao',
    camera_id: camera.cameraId,
    inicio: begin(),
    fim: begin() + DAY_MS,
  })
})

it.each([
  ['sem_arquivo', 'não sabe listar'],
  ['sem_lista', 'VIGIA_GRAVADOR_PORTAS'],
  ['sem_permissao', 'direito de reprodução'],
  ['senha_recusada', '30 minutos'],
] as const)('says why there is no list: %s', async (falha, text) => {
  const caixa = [{ de: begin(), ate: begin() + 1_000 }]
  holds({ gravador: { estado: 'sem_lista', falha }, caixa })
  const listed = await account.usuario.expect<GravacaoListada>(200, 'GET', path())
  expect(listed).toMatchObject({ gravador: 'sem_lista', detalhe: expect.stringContaining(text), relogio: null })
  expect(listed.trechos).toHaveLength(1)
})

it('has an edge of an earlier release updated', async () => {
  edge.answer = async () => ({ ok: false, falha: 'comando_desconhecido' })
  const refused = await account.usuario.expect(503, 'GET', path())
  expect(refused).toMatchObject({ detail: expect.stringContaining('versão antiga') })
})

it('refuses a wrong period, another account, and too many lists', async () => {
  holds({ gravador: { estado: 'sem_lista', falha: 'interno' }, caixa: [] })
  await account.usuario.expect(200, 'GET', `/api/v1/cameras/${camera.cameraId}/gravacao`)
  const [order] = edge.commands.slice(-1)
  if (order?.acao !== 'listar_gravacao') throw new Error('no list')
  expect(order.fim - order.inicio).toBe(DAY_MS)
  await account.usuario.expect(422, 'GET', path(begin(), begin() - 1))
  await account.usuario.expect(422, 'GET', path(begin(), begin() + DAY_MS + 1))
  await account.usuario.expect(422, 'GET', path(app.clock.now() + 60_000))
  const other = await app.account('Farmácia')
  await other.admin.expect(404, 'GET', path())
  const second = await seedOneCamera(backstage.db, account.empresaId, edge.id)
  const statuses: number[] = []
  while (statuses.length < 60 && statuses.at(-1) !== 429)
    statuses.push((await account.admin.send('GET', path(begin(), begin() + DAY_MS, second))).status)
  expect(statuses).toHaveLength(41)
})
