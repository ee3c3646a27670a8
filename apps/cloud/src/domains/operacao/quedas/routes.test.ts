import type { Queda } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/open.ts'
import type { Client } from '../../../test/clients/client.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { insertCentralQueda, insertQueda } from './store.ts'

let db: Database
const app = fixture(startTestApp)

beforeAll(async () => {
  db = await openTestDatabase(`${app.dataDir}/cloud/vigia.db`)
})

const own = fixture(() => app.account('Própria'))
const below = fixture(() => app.account('Abaixo', own.admin))
const foreign = fixture(() => app.account('Alheia'))
afterAll(async () => {
  await db.destroy()
})

const T = Date.parse('2026-11-09T13:00:00Z')
let count = 1000
/** A closed queda: the running app ends open ones without an edge or a camera. */
async function seedQueda(
  change: Partial<Parameters<typeof insertQueda>[1]> & { fim?: number | null },
): Promise<number> {
  count += 1
  const { fim = T + 60_000, ...given } = change
  const row = await insertQueda(db, {
    empresa_id: own.empresaId,
    edge_id: 1,
    camera_id: count,
    nome: 'Portão',
    inicio: T,
    motivo: 'video_parado',
    ...given,
  })
  if (!row) throw new Error('already open')
  await db.updateTable('quedas').set({ fim }).where('id', '=', row.id).execute()
  return row.id
}
const path = '/api/v1/quedas'
const list = async (by: Client, query = '') => by.expect<Queda[]>(200, 'GET', `${path}${query}`)
const ids = async (by: Client, query = '') => (await list(by, query)).map(({ id }) => id)

describe('the list of quedas', () => {
  it('shows each with its reason as text, newest first', async () => {
    const account = await app.account('Uma')
    const first = await seedQueda({ empresa_id: account.empresaId, camera_id: 7 })
    const second = await seedQueda({
      empresa_id: account.empresaId,
      camera_id: null,
      edge_id: 77,
      nome: 'Caixa',
      motivo: 'sem_contato',
    })
    const third = await seedQueda({ empresa_id: account.empresaId, motivo: 'de_uma_versao_mais_nova' })
    const quedas = await list(account.usuario)
    expect(quedas.map(({ id }) => id)).toEqual([third, second, first])
    expect(quedas[1]).toEqual({
      id: second,
      empresa_id: account.empresaId,
      edge_id: 77,
      camera_id: null,
      nome: 'Caixa',
      inicio: '2026-11-09T13:00:00.000Z',
      fim: '2026-11-09T13:01:00.000Z',
      motivo: 'sem_contato',
      motivo_texto: expect.stringContaining('sem contato'),
    })
    expect(quedas[2]).toMatchObject({ camera_id: 7, motivo_texto: expect.stringContaining('parou de chegar') })
    expect(quedas[0]?.motivo_texto).toMatch(/^A caixa não leu o vídeo/)
  })

  it('is filtered and paged, with the whole query in the link', async () => {
    const account = await app.account('Duas')
    const of = { empresa_id: account.empresaId }
    const a = await seedQueda({ ...of, camera_id: 501, edge_id: 51 })
    const b = await seedQueda({ ...of, camera_id: 501, edge_id: 52 })
    const c = await seedQueda({ ...of, camera_id: null, edge_id: 52 })
    expect(await ids(account.admin, '?camera_id=501')).toEqual([b, a])
    expect(await ids(account.admin, '?edge_id=52')).toEqual([c, b])
    expect(await ids(account.admin, '?abertas=false')).toEqual([c, b, a])
    expect(await ids(account.admin, '?abertas=true')).toEqual([])
    const page = await account.admin.send<Queda[]>('GET', `${path}?abertas=false&limit=2`)
    expect(page.headers.get('x-total-count')).toBe('3')
    const next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect(next).toMatch(/^\/api\/v1\/quedas\?abertas=false&limit=2&cursor=[\w-]+$/)
    const last = await account.admin.send<Queda[]>('GET', next)
    expect(last.body.map(({ id }) => id)).toEqual([a])
    expect(last.headers.get('link')).toBeNull()
  })

  it.each(['limit=0', 'limit=201', 'offset=-1', 'abertas=talvez', 'camera_id=x'])('refuses %s', async (query) => {
    expect((await own.admin.send('GET', `${path}?${query}`)).status).toBe(422)
  })
})

describe('the scope of the list', () => {
  it('is that of the caller; only the operator gets the local edge', async () => {
    const mine = await seedQueda({})
    const child = await seedQueda({ empresa_id: below.empresaId })
    const theirs = await seedQueda({ empresa_id: foreign.empresaId })
    const local = await seedQueda({ empresa_id: null, camera_id: null, edge_id: 900, motivo: 'sem_contato' })
    expect(await ids(own.usuario)).toEqual([mine])
    expect(await ids(own.admin)).toEqual([child, mine])
    expect(await ids(below.admin)).toEqual([child])
    expect(await ids(foreign.admin)).toEqual([theirs])
    expect(await ids(own.admin, '?edge_id=900')).toEqual([])
    expect((await ids(app.operator)).slice(0, 4)).toEqual([local, theirs, child, mine])
    expect(await ids(own.admin, `?empresa_id=${below.empresaId}`)).toEqual([child])
    expect(await ids(app.operator, `?empresa_id=${own.empresaId}`)).toEqual([mine])
    for (const empresa of [foreign.empresaId, 999_999])
      expect((await own.admin.send('GET', `${path}?empresa_id=${empresa}`)).status).toBe(404)
    expect((await fetch(`${app.url}${path}`)).status).toBe(401)
  })
})

it('ends an open queda of a removed subject after a restart', async () => {
  const id = await seedQueda({ camera_id: 999, fim: null })
  await waitFor('its end', async () =>
    (await list(app.operator, '?camera_id=999')).some((queda) => queda.id === id && queda.fim !== null),
  )
})

it('shows a queda of the cloud to every Empresa that existed, and to no search for an edge', async () => {
  const now = app.clock.now()
  await insertCentralQueda(db, { inicio: now, fim: now + 60_000 })
  const before = (await list(own.admin)).length
  // Before the first Empresa.
  await insertCentralQueda(db, { inicio: T - 10 * 365 * 86_400_000, fim: T - 9 * 365 * 86_400_000 })
  expect(await list(own.admin)).toHaveLength(before)
  await db
    .deleteFrom('quedas')
    .where('fim', '<', T - 365 * 86_400_000)
    .execute()
  for (const by of [own.usuario, own.admin, foreign.admin, app.operator])
    expect((await list(by))[0]).toMatchObject({
      nome: 'Central',
      empresa_id: null,
      edge_id: null,
      camera_id: null,
      motivo: 'central_parada',
      motivo_texto: expect.stringContaining('A central esteve parada'),
    })
  expect((await list(own.admin, '?edge_id=1')).map(({ nome }) => nome)).not.toContain('Central')
})
