import type { Evento, EventoDetalhe } from '@vigia/contracts/eventos'
import type { IncidenteDetalhe } from '@vigia/contracts/incidentes'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { streamedText } from '../../../test/clients/sse.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

let id: number
let incidenteId: number
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))

beforeAll(async () => {
  const camera = await backstage.camera(own.empresaId)
  await own.admin.expect(201, 'POST', '/api/v1/placas', { placa: 'ABC1D23', lista: 'bloqueada' })
  const passagem = await backstage.passagem(camera, {
    placa: { placa: 'ABC1D23', pais: 'BR', forma: 'mercosul', confianca: 0.9 },
  })
  const row = await backstage.db
    .selectFrom('passagens')
    .select('evento_id')
    .where('id', '=', passagem)
    .executeTakeFirstOrThrow()
  id = row.evento_id ?? 0
  incidenteId = await backstage.incidenteOf(id)
})

const search = (by: Client, texto: string) =>
  by.send('GET', `/api/v1/busca/eventos?texto=${encodeURIComponent(texto)}`).then(({ status }) => status)

it('shows the plate of an event to an administrador', async () => {
  const shown = await own.admin.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)
  expect(shown).toMatchObject({ detalhes: { placa: 'ABC1D23' }, crop_url: `/api/v1/crops/${id}` })
  expect((await own.admin.send('GET', `/api/v1/crops/${id}`)).status).toBe(200)
  expect(await search(own.admin, 'ABC1D23')).toBe(200)
})

it('hides text and picture from a usuario in each output', async () => {
  const detail = await own.usuario.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)
  const list = await own.usuario.expect<Evento[]>(200, 'GET', '/api/v1/events')
  const incidente = await own.usuario.expect<IncidenteDetalhe>(200, 'GET', `/api/v1/incidentes/${incidenteId}`)
  for (const evento of [detail, ...list, ...incidente.lista])
    expect(evento).toMatchObject({ id, detalhes: { placa: 'ABC****' }, crop_url: null })
  expect(JSON.stringify([detail, list, incidente])).not.toContain('ABC1D23')
  expect((await own.usuario.send('GET', `/api/v1/crops/${id}`)).status).toBe(403)
  expect((await own.usuario.send('GET', `/api/v1/crops/${id}?imagem=quadro`)).status).toBe(403)
})

it('hides the plate from the alert stream of a usuario', async () => {
  const text = await streamedText(app.url, own.usuario.token, { until: ['"placa"'] })
  expect(text).toContain('ABC****')
  expect(text).not.toContain('ABC1D23')
})

it('refuses a search for a plate by a usuario', async () => {
  for (const texto of ['ABC1D23', 'abc-1d23', 'ABC1', 'Portão ABC 1234'])
    expect(await search(own.usuario, texto)).toBe(403)
  for (const texto of ['Portão', 'Portão 2', 'ABC']) expect(await search(own.usuario, texto)).toBe(200)
  expect((await own.usuario.send('GET', '/api/v1/busca/incidentes?texto=ABC1D23')).status).toBe(403)
})
