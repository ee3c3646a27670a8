import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import type { Account } from '../../../test/clouds/test-app.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(() => startTestApp({ VIGIA_DOMINIO_NEUTRO: '127.0.0.1' }))
const backstage = fixture(() => openBackstage(app))
const parent = fixture(() => app.account('Integradora'))
const child = fixture(() => app.account('Cliente', parent.admin))
const foreign = fixture(() => app.account('Alheia'))

interface Empresa {
  nome: string
  fuso_horario: string
  limite_cameras: number
  host?: string
}
const path = (account: Account) => `/api/v1/empresas/${account.empresaId}`
const patch = (by: Client, account: Account, body: object) => by.send<Empresa>('PATCH', path(account), body)
const read = (account: Account) => app.operator.expect<Empresa>(200, 'GET', path(account))

describe('one Empresa', () => {
  it('is visible in scope and missing outside of it', async () => {
    for (const client of [child.usuario, child.admin, parent.admin, app.operator])
      expect(await client.expect(200, 'GET', path(child))).toMatchObject({ id: child.empresaId, nome: 'Cliente' })
    for (const client of [foreign.admin, parent.usuario])
      expect((await client.send('GET', path(child))).status).toBe(404)
    expect((await app.operator.send('GET', '/api/v1/empresas/999999')).status).toBe(404)
    expect((await app.operator.send('GET', '/api/v1/empresas/x')).status).toBe(422)
  })

  it('can be created with a time zone', async () => {
    const create = (fuso_horario: unknown) =>
      parent.admin.send<Empresa>('POST', '/api/v1/empresas', { nome: 'Filial', fuso_horario })
    expect((await create('America/Manaus')).body.fuso_horario).toBe('America/Manaus')
    for (const fuso of ['Brasil', 'UTC+3', '', 3, 'America/Sao_Paulo\u200b'])
      expect((await create(fuso)).status).toBe(422)
  })
})

describe('a change of an Empresa', () => {
  it('changes only the fields that were sent', async () => {
    const before = await read(child)
    expect((await patch(child.admin, child, { nome: ' Cliente & Filhos ' })).body).toEqual({
      ...before,
      nome: 'Cliente & Filhos',
    })
    expect((await patch(child.admin, child, { nome: null, fuso_horario: null })).body.nome).toBe('Cliente & Filhos')
    expect((await patch(child.admin, child, {})).status).toBe(200)
  })

  it('answers 404 out of scope and 403 to a usuario', async () => {
    expect((await patch(foreign.admin, child, { nome: 'X' })).status).toBe(404)
    expect((await patch(child.admin, parent, { nome: 'X' })).status).toBe(404)
    expect((await patch(child.usuario, child, { nome: 'X' })).status).toBe(403)
    expect((await app.operator.send('PATCH', '/api/v1/empresas/999999', { nome: 'X' })).status).toBe(404)
  })

  it('rejects invalid fields and stores nothing', async () => {
    const before = await read(child)
    for (const body of [
      { nome: '' },
      { nome: 'Cliente', empresa_pai_id: null },
      { nome: 'Outro nome', fuso_horario: 'Marte/Olympus' },
      { nome: 'Outro nome', limite_cameras: -1 },
      { nome: 'cam\u202egpj' },
      { __proto__: null, criada_em: 1 },
    ])
      expect([body, (await patch(parent.admin, child, body)).status]).toEqual([body, 422])
    expect((await patch(child.admin, child, { nome: 'Outro nome', limite_cameras: 9 })).status).toBe(403)
    expect(await read(child)).toEqual(before)
  })

  it('of the camera limit requires a login above it', async () => {
    expect((await patch(parent.admin, child, { limite_cameras: 3 })).body.limite_cameras).toBe(3)
    expect((await patch(child.admin, child, { limite_cameras: 4 })).status).toBe(403)
    expect((await patch(parent.admin, parent, { limite_cameras: 4 })).status).toBe(403)
    expect((await patch(app.operator, parent, { limite_cameras: 4 })).body.limite_cameras).toBe(4)
  })

  it('of the host requires the operator, and each host has one Empresa', async () => {
    expect((await patch(parent.admin, child, { host: 'a.exemplo.br' })).status).toBe(403)
    expect((await patch(child.admin, child, { host: null })).status).toBe(403)
    expect((await patch(app.operator, child, { host: ' A.Exemplo.BR ' })).body.host).toBe('a.exemplo.br')
    expect((await patch(app.operator, child, { host: 'a.exemplo.br' })).status).toBe(200)
    const taken = await patch(app.operator, foreign, { host: 'a.exemplo.br', nome: 'Outro' })
    expect(taken.status).toBe(409)
    expect(await read(foreign)).toMatchObject({ nome: 'Alheia' })
    for (const host of ['https://a.br', 'a', 'a.br:80', '10.0.0.1', 'a..br', '-a.br'])
      expect([host, (await patch(app.operator, foreign, { host })).status]).toEqual([host, 422])
    expect((await patch(app.operator, child, { host: null })).body).not.toHaveProperty('host')
    expect((await patch(app.operator, foreign, { host: 'a.exemplo.br' })).status).toBe(200)
  })

  it('of the time zone raises the desired version of every edge with its cameras', async () => {
    const cameras = [await backstage.camera(child.empresaId), await backstage.camera(child.empresaId)]
    const other = await backstage.camera(foreign.empresaId)
    const versions = async () => {
      const rows = await backstage.db.selectFrom('edges').select(['id', 'desejado_versao']).orderBy('id').execute()
      return Object.fromEntries(rows.map(({ id, desejado_versao }) => [id, desejado_versao]))
    }
    const before = await versions()
    await patch(child.admin, child, { fuso_horario: 'America/Rio_Branco' })
    const after = await versions()
    for (const { edgeId } of cameras) expect(after[edgeId]).toBe((before[edgeId] ?? 0) + 1)
    expect(after[other.edgeId]).toBe(before[other.edgeId])
    await patch(child.admin, child, { fuso_horario: 'America/Rio_Branco', nome: 'Só o nome' })
    expect(await versions()).toEqual(after)
  })

  it('keeps the values of a concurrent change', async () => {
    const bodies = [{ nome: 'Juntos' }, { fuso_horario: 'America/Bahia' }, { limite_cameras: 2 }]
    const answers = await Promise.all(bodies.map((body) => patch(parent.admin, child, body)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await read(child)).toMatchObject({ nome: 'Juntos', fuso_horario: 'America/Bahia', limite_cameras: 2 })
  })
})
