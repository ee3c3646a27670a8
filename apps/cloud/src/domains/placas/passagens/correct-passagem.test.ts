import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import type { Passagem } from '@vigia/contracts/passagens'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { ADMIN, startTestApp } from '../../../test/clouds/test-app.ts'
import { JPEG } from '../../../test/records/records.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = freshFixture(() => app.account('Padaria'))
const camera = freshFixture(() => backstage.camera(own.empresaId))

const PATH = '/api/v1/passagens'
const correct = (id: number, placa: string | null) =>
  own.admin.expect<Passagem>(200, 'POST', `${PATH}/${id}/correcao`, { placa })
const block = (placa: string) =>
  own.admin.expect(201, 'POST', '/api/v1/placas', { placa, lista: 'bloqueada', empresa_id: own.empresaId })
const datasetOf = async (id: number) => {
  const { dataset_path } = await backstage.db
    .selectFrom('passagens')
    .select('dataset_path')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return join(app.dataDir, 'cloud/media', dataset_path ?? '')
}

it('matches the lists again, keeps the reading, and raises an event of a newly blocked plate', async () => {
  await block('ABC1D28')
  const id = await backstage.passagem(camera)
  const shown = await correct(id, 'abc-1d28')
  expect(shown).toMatchObject({
    placa: 'ABC1D28',
    situacao: 'bloqueada',
    forma: 'mercosul',
    evento_id: expect.any(Number),
  })
  expect(shown.correcao).toEqual({
    placa_lida: 'ABC1D23',
    por: `administrador-${own.empresaId}`,
    em: expect.any(String),
  })
  const evento = await waitFor('the verdict', async () => {
    const one = await own.admin.expect<EventoDetalhe>(200, 'GET', `/api/v1/events/${shown.evento_id}`)
    return one.veredito === null ? null : one
  })
  expect(evento).toMatchObject({ tipo: 'placa', gravidade: 'alta', detalhes: { placa: 'ABC1D28', passagem_id: id } })
  expect(evento.veredito?.motivo).toContain(`Corrigida por administrador-${own.empresaId}`)
  const [record] = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=passagem')
  expect(record).toMatchObject({ acao: 'corrigir', antes: { placa: 'ABC1D23' }, depois: { placa: 'ABC1D28' } })
  expect(app.logText()).not.toContain('ABC1D28')
})

it('raises no second event for the same plate, and none for an allowed or unreadable one', async () => {
  await block('ABC1D28')
  const id = await backstage.passagem(camera)
  const { evento_id } = await correct(id, 'ABC1D28')
  expect((await correct(id, 'ABC1D28')).evento_id).toBe(evento_id)
  expect(await correct(id, null)).toMatchObject({ placa: null, situacao: null, forma: null, evento_id })
  expect((await correct(await backstage.passagem(camera), 'XYZ9876')).evento_id).toBeNull()
})

it('stays when the edge sends another reading later', async () => {
  const passagem = crypto.randomUUID()
  const id = await backstage.passagem(camera, { passagem })
  await correct(id, 'ABC1D28')
  const placa = { placa: 'ABC1D29', pais: 'BR', forma: 'mercosul' as const, confianca: 0.9 }
  await backstage.passagem(camera, { passagem, revisao: 2, fim: 1_790_000_009_000, placa })
  const shown = await own.admin.expect<Passagem>(200, 'GET', `${PATH}/${id}`)
  expect(shown).toMatchObject({ placa: 'ABC1D28', correcao: { placa_lida: 'ABC1D29' }, fim: expect.any(String) })
})

it('keeps the picture and the text as training data, and only those of the last correction', async () => {
  const id = await backstage.passagem(camera)
  await correct(id, 'ABC1D28')
  const first = await datasetOf(id)
  await correct(id, 'ABC1D29')
  const last = await datasetOf(id)
  expect(await readFile(last)).toEqual(JPEG)
  const line = JSON.parse(await readFile(last.replace('.jpg', '.json'), 'utf8'))
  expect(line).toMatchObject({ placa_lida: 'ABC1D23', placa: 'ABC1D29', passagem_id: id })
  await expect(readFile(first)).rejects.toThrow('ENOENT')
  await expect(readFile(first.replace('.jpg', '.json'))).rejects.toThrow('ENOENT')
})

it('refuses bad input, a usuario and other Empresas, and changes nothing', async () => {
  const foreign = await app.account('Alheia')
  const id = await backstage.passagem(camera)
  const before = await own.admin.expect<Passagem>(200, 'GET', `${PATH}/${id}`)
  for (const body of [{}, { placa: 'A' }, { placa: 'ABC1D23', lista: 'bloqueada' }])
    expect((await own.admin.send('POST', `${PATH}/${id}/correcao`, body)).status).toBe(422)
  expect((await own.usuario.send('POST', `${PATH}/${id}/correcao`, { placa: 'ABC1D28' })).status).toBe(403)
  expect((await foreign.admin.send('POST', `${PATH}/${id}/correcao`, { placa: 'ABC1D28' })).status).toBe(404)
  expect(await own.admin.expect<Passagem>(200, 'GET', `${PATH}/${id}`)).toEqual(before)
})

it('is deleted with its Empresa, with pictures, training data and lists', async () => {
  await block('ABC1D28')
  const id = await backstage.passagem(camera)
  await correct(id, 'ABC1D28')
  const file = await datasetOf(id)
  await app.operator.expect(202, 'DELETE', `/api/v1/empresas/${own.empresaId}`, { senha: ADMIN.password })
  await waitFor('the end of the removal', async () => {
    const rows = await backstage.db.selectFrom('placas').select('id').where('empresa_id', '=', own.empresaId).execute()
    return rows.length === 0
  })
  const left = await backstage.db.selectFrom('passagens').select('id').where('empresa_id', '=', own.empresaId).execute()
  expect(left).toEqual([])
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})
