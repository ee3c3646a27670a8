import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import type { Retencao, TipoRetencao } from '@vigia/contracts/retencao'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import type { Account } from '../../../test/clouds/test-app.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const acima = fixture(() => app.account('Integradora'))
const conta = fixture(() => app.account('Loja', acima.admin))

const pathOf = ({ empresaId }: Account) => `/api/v1/empresas/${empresaId}/retencao`
const rule = ({ regras }: Retencao, tipo: TipoRetencao) => regras.find((each) => each.tipo === tipo)
const read = (by: Account, of: Account) => by.admin.expect<Retencao>(200, 'GET', pathOf(of))

it('takes values from the nearest Empresa that sets them, else the defaults', async () => {
  const inherited = { dias_proprio: null, bytes_proprio: null }
  expect(rule(await read(conta, conta), 'eventos')).toMatchObject({ dias: 90, bytes: null, ...inherited })
  expect(rule(await read(conta, conta), 'clipes')).toMatchObject({ dias: 30 })
  await acima.admin.expect(200, 'PATCH', pathOf(acima), { clipes: { dias: 10, bytes: 2e9 }, quedas: { dias: 20 } })
  expect(rule(await read(conta, conta), 'clipes')).toMatchObject({ dias: 10, bytes: 2e9, ...inherited })
  await conta.admin.expect(200, 'PATCH', pathOf(conta), { clipes: { dias: 5 } })
  expect(rule(await read(acima, conta), 'clipes')).toMatchObject({ dias: 5, dias_proprio: 5, bytes: 2e9 })
  await conta.admin.expect(200, 'PATCH', pathOf(conta), { clipes: { dias: null } })
  expect(rule(await read(conta, conta), 'clipes')).toMatchObject({ dias: 10, ...inherited })
})

it('refuses values out of bounds, readers and other accounts, and records each change', async () => {
  for (const body of [{ auditoria: { dias: 30 } }, { clipes: { dias: 1 } }, { eventos: { bytes: 1e9 } }, { outro: 1 }])
    expect((await conta.admin.send('PATCH', pathOf(conta), body)).status).toBe(422)
  expect((await conta.usuario.send('GET', pathOf(conta))).status).toBe(403)
  expect((await conta.admin.send('GET', pathOf(acima))).status).toBe(404)
  expect((await conta.admin.send('PATCH', pathOf(acima), { quedas: { dias: 5 } })).status).toBe(404)
  await conta.admin.expect(200, 'PATCH', pathOf(conta), { lacunas: { dias: 100 } })
  const query = `/api/v1/auditoria?objeto=retencao&empresa_id=${conta.empresaId}&limit=1`
  expect(await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', query)).toMatchObject([
    { acao: 'alterar', antes: { lacunas_dias: null }, depois: { lacunas_dias: 100 } },
  ])
})

it('holds an event until a date, with a reason', async () => {
  const id = await backstage.event(await backstage.camera(conta.empresaId))
  const path = `/api/v1/events/${id}/preservar`
  const hold = { motivo: 'Boletim 1', ate: new Date(app.clock.now() + 86_400_000).toISOString() }
  const shown = async () => (await conta.usuario.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${id}`)).preservacao
  expect((await conta.usuario.send('POST', path, hold)).status).toBe(403)
  expect((await conta.admin.send('POST', path, { ...hold, ate: '2020-01-01T00:00:00Z' })).status).toBe(422)
  expect(await shown()).toBeNull()
  await conta.admin.expect(200, 'POST', path, hold)
  expect(await shown()).toMatchObject({ ...hold, por: expect.stringContaining('administrador') })
  await conta.admin.expect(204, 'DELETE', path)
  await conta.admin.expect(204, 'DELETE', path)
  expect(await shown()).toBeNull()
  const query = `/api/v1/auditoria?objeto=evento&objeto_id=${id}`
  const records = await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
  expect(records.map(({ acao }) => acao)).toEqual(['liberar', 'preservar'])
})

it('answers 410 for the signed address of a deleted picture', async () => {
  const id = await backstage.event(await backstage.camera(conta.empresaId))
  const path = `/api/v1/imagens/${await backstage.pictureLink(id)}`
  const answer = async () => (await fetch(`${app.url}${path}`)).status
  expect(await answer()).toBe(200)
  await backstage.db.deleteFrom('eventos').where('id', '=', id).execute()
  expect(await answer()).toBe(410)
})
