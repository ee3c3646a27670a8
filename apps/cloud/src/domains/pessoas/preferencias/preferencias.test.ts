import { MAX_FRASES, type Preferencias } from '@vigia/contracts/preferencias'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const PATH = '/api/v1/me/preferencias'
const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))

const change = (body: object) => conta.usuario.expect<Preferencias>(200, 'PATCH', PATH, body)

it('keeps the lists of a login, each replaced on its own, and ends with the login', async () => {
  expect(await conta.usuario.expect(200, 'GET', PATH)).toEqual({ frases: [], mosaicos: [] })
  const mosaico = { nome: 'Portões', quadros: 4, cameras: [1, 2, 999], ronda_s: 20 }
  await change({ mosaicos: [mosaico] })
  expect(await change({ frases: ['Nada no local'] })).toEqual({ frases: ['Nada no local'], mosaicos: [mosaico] })
  expect(await change({})).toEqual(await conta.usuario.expect(200, 'GET', PATH))
  expect(await conta.admin.expect(200, 'GET', PATH)).toEqual({ frases: [], mosaicos: [] })
  const { id } = await conta.usuario.expect<{ id: number }>(200, 'GET', '/api/v1/me')
  await conta.admin.expect(204, 'DELETE', `/api/v1/usuarios/${id}`)
  expect(await backstage.db.selectFrom('preferencias').selectAll().execute()).toEqual([])
})

it('has bounds', async () => {
  const mosaico = { nome: 'x', quadros: 4, cameras: [], ronda_s: 0 }
  for (const body of [
    { frases: Array.from({ length: MAX_FRASES + 1 }, (_, at) => `Frase ${at}`) },
    { frases: ['x'.repeat(121)] },
    { mosaicos: Array.from({ length: 9 }, () => mosaico) },
    { mosaicos: [{ ...mosaico, quadros: 5 }] },
    { mosaicos: [{ ...mosaico, cameras: Array.from({ length: 65 }, (_, at) => at + 1) }] },
  ])
    await conta.admin.expect(422, 'PATCH', PATH, body)
})
