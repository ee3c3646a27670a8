import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { startTestApp } from '../test/clouds/test-app.ts'

const app = fixture(startTestApp)

it('answers 404 for an Empresa that is missing or out of scope, on every list that can be narrowed', async () => {
  const own = await app.account('Própria')
  const foreign = await app.account('Alheia')
  const lists = ['cameras', 'cameras-count', 'gravadores', 'edges', 'events', 'metrics', 'notificacoes']
  for (const list of lists) {
    const read = async (by: typeof own.admin, empresaId: number) =>
      (await by.send('GET', `/api/v1/${list}?empresa_id=${empresaId}`)).status
    expect([list, await read(app.operator, own.empresaId), await read(app.operator, 999_999)]).toEqual([list, 200, 404])
    expect([list, await read(own.usuario, own.empresaId)]).toEqual([list, 200])
    for (const outside of [foreign.empresaId, 999_999])
      expect([list, await read(own.admin, outside)]).toEqual([list, 404])
  }
})
