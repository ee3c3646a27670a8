import type { Camera } from '@vigia/contracts/cameras'
import { isArmed } from '@vigia/ias/agenda'
import { createSealKeyPair } from '@vigia/link/sealed'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { buildDesired } from '../edges/build-desired.ts'
import { readDesired } from '../edges/store.ts'

let edgeId: number
let camera: string
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Mercado'))

beforeAll(async () => {
  await conta.admin.expect(200, 'PATCH', `/api/v1/empresas/${conta.empresaId}`, { fuso_horario: 'America/Asuncion' })
  edgeId = (await backstage.camera(conta.empresaId)).edgeId
  const { publicJwk } = await createSealKeyPair()
  await backstage.db
    .updateTable('edges')
    .set({ chave_cifra_json: JSON.stringify(publicJwk) })
    .where('id', '=', edgeId)
    .execute()
  const body = { nome: 'Doca', rtsp_url: 'rtsp://127.0.0.9/1', eventos_habilitados: ['invasao', 'fogo'] }
  const { id } = await conta.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', body)
  camera = `/api/v1/cameras/${id}`
})

const patch = (agenda: unknown) =>
  conta.admin.send<{ detail: { loc: unknown[]; type: string }[] }>('PATCH', camera, { agenda })
const stored = () => conta.usuario.expect(200, 'GET', `${camera}/agenda`)

describe('the Agenda of a camera', () => {
  it.each([
    [{}],
    [{ invasao: { inicio: 22, fim: 6, dias: [0, 1, 2, 3, 4] } }],
    [{ invasao: { inicio: 0, fim: 24, dias: [6, 0] }, fogo: { inicio: 8, fim: 8, dias: [] } }],
    // An Agenda is also accepted for a disabled IA, which may be enabled later.
    [{ epi: { inicio: 23, fim: 0, dias: [5] } }],
  ])('is returned unchanged: %j', async (agenda) => {
    expect((await patch(agenda)).status).toBe(200)
    expect(await stored()).toEqual(agenda)
    expect((await conta.usuario.expect<Camera>(200, 'GET', camera)).agenda).toEqual(agenda)
  })

  it('applies a window without days to every day', async () => {
    await patch({ invasao: { inicio: 1, fim: 2 } })
    expect(await stored()).toEqual({ invasao: { inicio: 1, fim: 2, dias: [] } })
  })

  it.each([
    [{ invasao: { inicio: 24, fim: 1 } }, ['inicio'], 'less_than_equal'],
    [{ invasao: { inicio: -1, fim: 1 } }, ['inicio'], 'greater_than_equal'],
    [{ invasao: { inicio: 1, fim: 25 } }, ['fim'], 'less_than_equal'],
    [{ invasao: { inicio: 1.5, fim: 2 } }, ['inicio'], 'int_type'],
    [{ invasao: { inicio: '8', fim: 18 } }, ['inicio'], 'int_type'],
    [{ invasao: { inicio: 8 } }, ['fim'], 'missing'],
    [{ invasao: { inicio: 8, fim: 18, dias: [7] } }, ['dias', 0], 'less_than_equal'],
    [{ invasao: { inicio: 8, fim: 18, dias: [0, -1] } }, ['dias', 1], 'greater_than_equal'],
    [{ invasao: { inicio: 8, fim: 18, dias: [1, 1] } }, ['dias'], 'value_error'],
    [{ invasao: { inicio: 8, fim: 18, dias: ['seg'] } }, ['dias', 0], 'int_type'],
    [{ invasao: { inicio: 8, fim: 18, dia: [1] } }, ['dia'], 'extra_forbidden'],
  ])('is refused and stays unchanged: %j', async (agenda, at, type) => {
    const before = await stored()
    const answer = await patch(agenda)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ loc: ['body', 'agenda', 'invasao', ...at], type }])
    expect(await stored()).toEqual(before)
  })

  it('refuses a zone without an area', async () => {
    const flat = [
      [0.1, 0.1],
      [0.5, 0.5],
      [0.9, 0.9],
    ]
    const answer = await conta.admin.send('PATCH', camera, { zonas: flat })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'zonas'], type: 'value_error' }] } })
  })
})

it('reaches the edge with the time zone of the Empresa and follows clock changes', async () => {
  await patch({ invasao: { inicio: 22, fim: 6, dias: [5] } })
  const rows = await readDesired(backstage.db, edgeId)
  if (!rows) throw new Error('no such edge')
  const { cameras } = await buildDesired(rows, () => ({ rtsp_url: 'rtsp://127.0.0.9/1', sub_rtsp_url: null }))
  const sent = cameras.find(({ nome }) => nome === 'Doca')
  expect(sent).toMatchObject({
    fuso_horario: 'America/Asuncion',
    analises: [
      { ia: 'invasao', agenda: { inicio: 22, fim: 6, dias: [5] } },
      { ia: 'fogo', agenda: null },
    ],
  })
  const armed = (iso: string) => isArmed(sent?.analises[0]?.agenda ?? null, sent?.fuso_horario ?? '', Date.parse(iso))
  // Saturday 22:00 to Sunday 06:00: clocks set back (2024), forward (2023), unchanged (2025).
  const nights = [
    ['2024-03-24T01:00:00Z', '2024-03-24T10:00:00Z'],
    ['2023-10-01T02:00:00Z', '2023-10-01T09:00:00Z'],
    ['2025-03-23T01:00:00Z', '2025-03-23T09:00:00Z'],
  ] as const
  for (const [from, to] of nights) {
    const at = (iso: string, ms: number) => new Date(Date.parse(iso) + ms).toISOString()
    expect([from, armed(at(from, -1)), armed(from), armed(at(to, -1)), armed(to)]).toEqual([
      from,
      false,
      true,
      true,
      false,
    ])
  }
})
