import type { Incidente } from '@vigia/contracts/incidentes'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(conta))

const pathOf = (id: number) => `/api/v1/incidentes/${id}/assumir`
const take = (by: Client, id: number, assumido = true) => by.expect<Incidente>(200, 'POST', pathOf(id), { assumido })

async function incidente(): Promise<number> {
  const camera = await backstage.camera(conta.empresaId)
  return backstage.incidenteOf(await backstage.event(camera, { ocorrido_em: app.clock.now() }))
}

it('is taken, taken over and given back, with a new version for the other screens', async () => {
  const id = await incidente()
  const first = await take(vigilante, id)
  expect(first.assumido).toEqual({ por: expect.stringMatching(/./), em: expect.stringMatching(/Z$/) })
  app.clock.advance(60_000)
  expect(await take(vigilante, id)).toEqual(first)
  const second = await take(conta.admin, id)
  expect(second.assumido?.por).not.toBe(first.assumido?.por)
  expect(second.versao).toBe(first.versao + 1)
  expect(await take(conta.admin, id, false)).toMatchObject({ assumido: null, versao: second.versao + 1 })
})

it('is refused to a login that only reads, out of scope, and after the answer', async () => {
  const id = await incidente()
  await conta.usuario.expect(403, 'POST', pathOf(id), { assumido: true })
  await outra.admin.expect(404, 'POST', pathOf(id), { assumido: true })
  await take(vigilante, id)
  await vigilante.expect(200, 'POST', `/api/v1/incidentes/${id}/atendimento`, { resposta: 'falso' })
  await vigilante.expect(409, 'POST', pathOf(id), { assumido: false })
  expect(await conta.usuario.expect<Incidente>(200, 'GET', `/api/v1/incidentes/${id}`)).toMatchObject({
    assumido: { por: expect.stringMatching(/./) },
    atendimento: { resposta: 'falso' },
  })
})
