import type { Ajuste } from '@vigia/contracts/ajustes'
import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import { fixture, freshFixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { biasOf } from '../../../db/ajustes.ts'
import { transact } from '../../../db/transaction.ts'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { saveVerdict } from '../../operacao/verificacao/save-verdict.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(conta))
const camera = freshFixture(() => backstage.camera(conta.empresaId))

const ajustes = (by = conta.admin) => by.expect<Ajuste[]>(200, 'GET', `/api/v1/cameras/${camera.cameraId}/ajustes`)
const reviewOf = (by: Client, id: number, rotulo_humano: string) =>
  by.expect(200, 'POST', `/api/v1/events/${id}/revisao`, { rotulo_humano, revisor: 'Ana' })

/** An event with a verdict of probability 0.6. */
async function judged(ajuste: number | undefined = 0): Promise<number> {
  const id = await backstage.event(camera)
  const veredito = { decisao: 'confirmado', certeza: 'baixa', confianca: 0.6, motivo: '', fonte: 'teste' } as const
  await transact(backstage.db, (tx) => saveVerdict(tx, id, { ...veredito, ajuste }, '{}', app.clock.now()))
  return id
}
/** Events whose reviews as false are stored, but not counted yet. */
async function reviewed(n: number): Promise<void> {
  for (let i = 0; i < n; i += 1) {
    const said = { revisao_rotulo: 'refutado', revisado_em: app.clock.now(), revisao_pessoa: 1 } as const
    await backstage.db
      .updateTable('eventos')
      .set(said)
      .where('id', '=', await judged())
      .execute()
  }
}

it('starts at 30 reviews, within 1 logit, with its reason', async () => {
  await reviewed(28)
  await reviewOf(conta.admin, await judged(), 'refutado')
  expect(await ajustes(conta.usuario)).toMatchObject([
    { ia: 'invasao', ajuste: 0, revisoes: 29, frase: 'Nenhum ajuste: são precisas 30 revisões, e há 29.' },
  ])
  await reviewOf(conta.admin, await judged(), 'confirmado')
  expect(await ajustes()).toMatchObject([
    {
      ajuste: -1,
      revisoes: 30,
      verdadeiros: 1,
      esperados: expect.closeTo(18),
      minimo_revisoes: 30,
      desde: null,
      frase: 'Fica mais difícil confirmar com certeza: 1 de 30 revisados eram verdadeiros; a verificação esperava 18.',
    },
  ])
  expect(await biasOf(backstage.db, camera.cameraId, 'invasao')).toBe(-1)
  expect(await biasOf(backstage.db, camera.cameraId, 'fogo')).toBe(0)
})

it('counts the answer of an administrador once, and a changed review as it is now', async () => {
  const id = await judged()
  const path = `/api/v1/incidentes/${await backstage.incidenteOf(id)}/atendimento`
  await conta.admin.expect(200, 'POST', path, { resposta: 'verdadeiro' })
  expect(await ajustes()).toMatchObject([{ revisoes: 1, verdadeiros: 1 }])
  await reviewOf(conta.admin, id, 'refutado')
  expect(await ajustes()).toMatchObject([{ revisoes: 1, verdadeiros: 0 }])
})

it('counts neither the answer of a vigilante, nor a key, nor a verdict without a score', async () => {
  const path = `/api/v1/incidentes/${await backstage.incidenteOf(await judged())}/atendimento`
  await vigilante.expect(200, 'POST', path, { resposta: 'falso' })
  const body = { nome: `robô-${camera.cameraId}`, escopo: 'escrita', empresa_id: conta.empresaId }
  const { chave } = await conta.admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)
  const key = await fetch(`${app.url}/api/v1/events/${await judged()}/revisao`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chave}`, 'content-type': 'application/json' },
    body: JSON.stringify({ rotulo_humano: 'refutado', revisor: 'robô' }),
  })
  expect(key.status).toBe(200)
  const unscored = await judged()
  await backstage.db.updateTable('eventos').set({ veredito_ajuste: null }).where('id', '=', unscored).execute()
  await reviewOf(conta.admin, unscored, 'refutado')
  expect(await ajustes()).toMatchObject([{ revisoes: 0, ajuste: 0 }])
})

it('counts every one of concurrent reviews', async () => {
  const ids = [await judged(), await judged(), await judged(), await judged()]
  await Promise.all(ids.map((id) => reviewOf(conta.admin, id, 'confirmado')))
  expect(await ajustes()).toMatchObject([{ revisoes: 4, verdadeiros: 4 }])
})

it('is reset by an administrador, on record; then only later reviews count', async () => {
  await reviewed(30)
  await reviewOf(conta.admin, await judged(), 'refutado')
  const path = `/api/v1/cameras/${camera.cameraId}/ajuste/invasao`
  expect((await vigilante.send('DELETE', path)).status).toBe(403)
  expect((await outra.admin.send('DELETE', path)).status).toBe(404)
  expect((await outra.admin.send('GET', `/api/v1/cameras/${camera.cameraId}/ajustes`)).status).toBe(404)
  expect((await conta.admin.send('DELETE', path.replace('invasao', 'xadrez'))).status).toBe(404)
  expect(await ajustes()).toMatchObject([{ ajuste: -1, revisoes: 31 }])
  await conta.admin.expect(204, 'DELETE', path)
  const [{ desde } = { desde: null }] = await ajustes()
  expect(Date.parse(desde ?? '')).toBeLessThanOrEqual(app.clock.now())
  expect(await ajustes()).toMatchObject([{ ajuste: 0, revisoes: 0 }])
  const query = `/api/v1/auditoria?objeto=camera&objeto_id=${camera.cameraId}&limit=1`
  const [record] = await conta.admin.expect<RegistroAuditoria[]>(200, 'GET', query)
  expect(record).toMatchObject({
    acao: 'alterar',
    antes: { ajuste: { ia: 'invasao', valor: -1, revisoes: 31 } },
    depois: { ajuste: { ia: 'invasao', valor: 0, revisoes: 0, zerado_em: desde } },
  })
  app.clock.advance(1000)
  await reviewOf(conta.admin, await judged(), 'refutado')
  expect(await ajustes()).toMatchObject([{ ajuste: 0, revisoes: 1, desde }])
})
