import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Camera } from '@vigia/contracts/cameras'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const own = fixture(() => app.account('Própria'))

const A = [0, 0, 1, 0, 1, 1]
const B = [0, 0, 0.5, 0, 0.5, 0.5]

const create = () =>
  own.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.9/1' })
const change = (id: number, body: object, by = own.admin) =>
  by.send<Camera & { detail: { loc: unknown }[] }>('PATCH', `/api/v1/cameras/${id}/geometria`, body)
const names = async (id: number) => (await own.usuario.expect<Camera>(200, 'GET', `/api/v1/cameras/${id}`)).nomes_zonas

describe('the names of zones', () => {
  it('are stored with their polygons, and recorded', async () => {
    const { id } = await create()
    const { status, body } = await change(id, { zonas: [A, B], nomes_zonas: [null, ' Doca '], linha: [[0, 0, 1, 1]] })
    expect(status).toBe(200)
    expect(body).toMatchObject({ zonas: [A, B], nomes_zonas: [null, 'Doca'], linha: [[0, 0, 1, 1]] })
    expect(await own.usuario.expect(200, 'GET', `/api/v1/cameras/${id}/geometria`)).toEqual({
      zonas: [A, B],
      nomes_zonas: [null, 'Doca'],
      linha: [[0, 0, 1, 1]],
      imagem_inteira: false,
    })
    const query = `/api/v1/auditoria?objeto=camera&objeto_id=${id}`
    const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
    expect(record).toMatchObject({ acao: 'alterar', depois: { nomes_zonas: [null, 'Doca'] } })
  })

  it('change alone, and stay with a polygon that another call keeps', async () => {
    const { id } = await create()
    await change(id, { zonas: [A, B], nomes_zonas: ['Portão', 'Doca'] })
    await change(id, { nomes_zonas: ['Entrada', 'Doca'] })
    expect(await names(id)).toEqual(['Entrada', 'Doca'])
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${id}`, { zonas: [B] })
    expect(await names(id)).toEqual(['Doca'])
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${id}`, { zonas: null })
    expect(await names(id)).toEqual([])
  })

  it('change no version of a camera that has them already', async () => {
    const { id } = await create()
    const { body } = await change(id, { zonas: [A, B], nomes_zonas: ['Portão', null] })
    expect((await change(id, { zonas: [A, B], nomes_zonas: ['Portão'] })).body).toEqual(body)
  })

  it('are refused without a polygon, when too long, and in CameraPatch', async () => {
    const { id } = await create()
    await change(id, { zonas: [A], nomes_zonas: ['Portão'] })
    const refused = await change(id, { nomes_zonas: ['Portão', 'Doca'] })
    expect([refused.status, refused.body.detail[0]?.loc]).toEqual([422, ['body', 'nomes_zonas', 1]])
    for (const nomes_zonas of [['x'.repeat(61)], [''], [1], 'Portão'])
      expect((await change(id, { nomes_zonas })).status).toBe(422)
    expect((await own.admin.send('PATCH', `/api/v1/cameras/${id}`, { nomes_zonas: ['Doca'] })).status).toBe(422)
    expect(await names(id)).toEqual(['Portão'])
  })

  it('are refused for logins that change no camera', async () => {
    const { id } = await create()
    const other = await app.account('Outra')
    expect((await change(id, { zonas: [A] }, own.usuario)).status).toBe(403)
    expect((await change(id, { zonas: [A] }, other.admin)).status).toBe(404)
    expect(await names(id)).toEqual([])
  })
})
