import type { Camera } from '@vigia/contracts/cameras'
import { desejadoSchema } from '@vigia/contracts/edge-state'
import { createSealKeyPair } from '@vigia/link/sealed'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { buildDesired } from '../edges/build-desired.ts'
import { readDesired } from '../edges/store.ts'

let edgeId: number
let camera: string
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Mercado'))
const foreign = fixture(() => app.account('Alheia'))

beforeAll(async () => {
  edgeId = (await backstage.camera(conta.empresaId)).edgeId
  const chave_cifra_json = JSON.stringify((await createSealKeyPair()).publicJwk)
  await backstage.db.updateTable('edges').set({ chave_cifra_json }).where('id', '=', edgeId).execute()
  const body = { nome: 'Doca', rtsp_url: 'rtsp://127.0.0.9/1', eventos_habilitados: ['invasao', 'fogo'] }
  const { id } = await conta.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', body)
  camera = `/api/v1/cameras/${id}`
})
beforeEach(async () => {
  await put({})
})

const feriados = () => `/api/v1/empresas/${conta.empresaId}/feriados`
const put = (body: object) => conta.admin.expect<object>(200, 'PUT', `${camera}/horarios`, body)
const refused = (body: object) =>
  conta.admin.expect<{ detail: { loc: unknown[]; msg: string }[] }>(422, 'PUT', `${camera}/horarios`, body)
const horarios = () => conta.usuario.expect<object>(200, 'GET', `${camera}/horarios`)
const agenda = () => conta.usuario.expect<object>(200, 'GET', `${camera}/agenda`)

const invasao = [
  { dias: [0, 1, 2, 3, 4], inicio: '18:30', fim: '06:00' },
  { dias: [5], inicio: '13:00', fim: '24:00' },
]
const fogo = [{ dias: [], inicio: '22:00', fim: '06:00' }]
const LISTAS = [{ nome: 'Nacionais', datas: ['2027-01-01', '2027-04-21'] }]

/** The message as the edge reads it, without the cameras of the fixture. */
async function sent() {
  const rows = await readDesired(backstage.db, edgeId)
  const built = await buildDesired(rows as NonNullable<typeof rows>, () => null)
  return desejadoSchema.parse(JSON.parse(JSON.stringify(built))).cameras.find(({ nome }) => nome === 'Doca')
}

describe('the hours of a camera', () => {
  it('keeps several windows of half hours, and answers one as its Agenda', async () => {
    expect(await put({ invasao, fogo })).toEqual({ invasao, fogo, feriados: null })
    expect(await horarios()).toEqual({ invasao, fogo, feriados: null })
    expect(await agenda()).toEqual({
      invasao: { inicio: 13, fim: 6, dias: [0, 1, 2, 3, 4, 5] },
      fogo: { inicio: 22, fim: 6, dias: [] },
    })
  })

  it('sends all windows to its edge, beside the one that an edge of an earlier release follows', async () => {
    await put({ invasao, fogo })
    expect((await sent())?.analises).toEqual([
      expect.objectContaining({
        ia: 'invasao',
        agenda: { inicio: 13, fim: 6, dias: [0, 1, 2, 3, 4, 5] },
        horarios: invasao,
      }),
      { ia: 'fogo', calibracao: expect.anything(), agenda: { inicio: 22, fim: 6, dias: [] } },
    ])
  })

  it('a PATCH of the Agenda replaces the windows of an IA, but not where it repeats the answered one', async () => {
    await put({ invasao, fogo })
    const answered = await agenda()
    const night = { inicio: 23, fim: 5, dias: [] }
    await conta.admin.expect(200, 'PATCH', camera, { agenda: { ...answered, fogo: night } })
    const fogoNow = [{ dias: [], inicio: '23:00', fim: '05:00' }]
    expect(await horarios()).toEqual({ invasao, fogo: fogoNow, feriados: null })
    await conta.admin.expect(200, 'PATCH', camera, { agenda: { invasao: night } })
    expect(await horarios()).toEqual({ invasao: fogoNow, feriados: null })
    await conta.admin.expect(200, 'PATCH', camera, { agenda: null })
    expect(await horarios()).toEqual({ feriados: null })
  })

  it.each([
    [{ invasao: [{ dias: [], inicio: '18:15', fim: '06:00' }] }, ['invasao', 0, 'inicio']],
    [{ invasao: [{ dias: [], inicio: '24:00', fim: '06:00' }] }, ['invasao', 0, 'inicio']],
    [{ invasao: [{ dias: [7], inicio: '18:00', fim: '24:30' }] }, ['invasao', 0, 'dias', 0]],
    [{ invasao: [] }, ['invasao']],
    [{ invasao: Array.from({ length: 9 }, () => fogo[0]) }, ['invasao']],
    [{ feriados: { lista: 'Outra', dia: 6 } }, ['feriados', 'lista']],
  ])('refuses %j', async (body, loc) => {
    const { detail } = await refused(body)
    expect(detail[0]?.loc).toEqual(['body', ...loc])
  })

  it('rejects a change by a reader and by another Empresa', async () => {
    await conta.usuario.expect(403, 'PUT', `${camera}/horarios`, {})
    await foreign.admin.expect(404, 'GET', `${camera}/horarios`)
    await foreign.admin.expect(404, 'GET', feriados())
    await foreign.admin.expect(404, 'PUT', feriados(), { listas: [] })
    await conta.usuario.expect(403, 'PUT', feriados(), { listas: [] })
  })
})

describe('the holidays of an Empresa', () => {
  it('reach the edge with a camera that follows the list, also when they change later', async () => {
    await conta.admin.expect(200, 'PUT', feriados(), { listas: LISTAS })
    await put({ invasao, feriados: { lista: 'Nacionais', dia: 6 } })
    expect((await sent())?.feriados).toEqual({ datas: LISTAS[0]?.datas, dia: 6 })
    const before = (await readDesired(backstage.db, edgeId))?.versao ?? 0
    const datas = ['2027-12-25', '2027-01-01']
    const listas = [
      { nome: 'Nacionais', datas },
      { nome: 'Da cidade', datas: ['2027-03-09'] },
    ]
    await conta.admin.expect(200, 'PUT', feriados(), { listas })
    expect((await sent())?.feriados?.datas).toEqual(['2027-01-01', '2027-12-25'])
    expect((await readDesired(backstage.db, edgeId))?.versao).toBe(before + 1)
    // A PATCH of the Agenda keeps the holidays.
    await conta.admin.expect(200, 'PATCH', camera, { agenda: {} })
    expect(await horarios()).toEqual({ feriados: { lista: 'Nacionais', dia: 6 } })
  })

  it('a list that a camera follows stays', async () => {
    await conta.admin.expect(200, 'PUT', feriados(), { listas: LISTAS })
    await put({ feriados: { lista: 'Nacionais', dia: 6 } })
    const { detail } = await conta.admin.expect<{ detail: string }>(409, 'PUT', feriados(), { listas: [] })
    expect(detail).toContain('A câmera "Doca" usa a lista "Nacionais"')
    await put({})
    await conta.admin.expect(200, 'PUT', feriados(), { listas: [] })
    expect(await conta.usuario.expect(200, 'GET', feriados())).toEqual({ listas: [] })
  })

  it('holds at most ten lists of forty dates', async () => {
    const date = (at: number) => new Date(Date.UTC(2027, 0, 1 + at)).toISOString().slice(0, 10)
    const list = (at: number, count: number) => ({
      nome: `Lista ${at}`,
      datas: Array.from({ length: count }, (_o, d) => date(d)),
    })
    const lists = (count: number) => ({ listas: Array.from({ length: count }, (_one, at) => list(at, 40)) })
    await conta.admin.expect(200, 'PUT', feriados(), lists(10))
    await conta.admin.expect(422, 'PUT', feriados(), lists(11))
    await conta.admin.expect(422, 'PUT', feriados(), { listas: [list(1, 41)] })
    for (const datas of [['2027-02-30'], ['01/01/2027'], ['2027-01-01', '2027-01-01'], []])
      await conta.admin.expect(422, 'PUT', feriados(), { listas: [{ nome: 'Errada', datas }] })
    await conta.admin.expect(200, 'PUT', feriados(), { listas: [] })
  })
})
