import { type Livro, MAX_LIVRO, type PassagemDeTurno } from '@vigia/contracts/livro'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const DAY_MS = 86_400_000
const PATH = '/api/v1/livro'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(conta))
const camera = fixture(() => backstage.camera(conta.empresaId))

const instant = (ms: number) => encodeURIComponent(new Date(ms).toISOString())
const period = () => `?desde=${instant(app.clock.now() - DAY_MS)}&ate=${instant(app.clock.now() + 1)}`
const read = (by: Client, more = '') => by.expect<Livro>(200, 'GET', `${PATH}${period()}${more}`)
const write = (by: Client, texto: string) => by.expect<PassagemDeTurno>(201, 'POST', PATH, { texto })

async function answer(resposta: string, nota: string | null): Promise<number> {
  const evento = await backstage.event(camera, { ocorrido_em: app.clock.now() })
  const id = await backstage.incidenteOf(evento)
  await vigilante.expect(200, 'POST', `/api/v1/incidentes/${id}/atendimento`, { resposta, nota })
  return id
}

it('has the answers with their notes and the hand-overs of a period, each newest first', async () => {
  const first = await answer('falso', 'Era o gato')
  app.clock.advance(1_200_000)
  const second = await answer('verdadeiro', null)
  const { id, autor } = await write(vigilante, 'Portão 2 travado')
  const livro = await read(conta.usuario)
  expect(livro.completo).toBe(true)
  expect(livro.respostas.map(({ incidente, atendimento: { nota } }) => [incidente.id, nota])).toEqual([
    [second, null],
    [first, 'Era o gato'],
  ])
  expect(livro.passagens).toMatchObject([{ id, autor, texto: 'Portão 2 travado', empresa_id: conta.empresaId }])
  expect(livro.respostas[0]?.atendimento.revisor).toBe(autor)
  const ofCamera = await read(conta.usuario, `&camera_id=${camera.cameraId}`)
  expect([ofCamera.respostas.length, ofCamera.passagens]).toEqual([2, []])
  expect((await read(conta.usuario, '&camera_id=999999')).respostas).toEqual([])
})

it('is written by a person who answers, in the own Empresa, and read only there', async () => {
  await conta.usuario.expect(403, 'POST', PATH, { texto: 'x' })
  await conta.admin.expect(404, 'POST', PATH, { texto: 'x', empresa_id: outra.empresaId })
  await app.operator.expect(422, 'POST', PATH, { texto: 'x' })
  expect(await read(outra.admin)).toEqual({ completo: true, respostas: [], passagens: [] })
  await outra.admin.expect(404, 'GET', `${PATH}${period()}&empresa_id=${conta.empresaId}`)
})

it('refuses a period that is reversed or longer than a month', async () => {
  const now = app.clock.now()
  await conta.admin.expect(422, 'GET', `${PATH}?desde=${instant(now)}&ate=${instant(now - 1)}`)
  await conta.admin.expect(422, 'GET', `${PATH}?desde=${instant(now - 32 * DAY_MS)}&ate=${instant(now)}`)
})

it('says that a period has more than its bound', async () => {
  const em = app.clock.now()
  const rows = Array.from({ length: MAX_LIVRO }, (_, at) => ({
    empresa_id: outra.empresaId,
    autor: 'ana',
    texto: `Nota ${at}`,
    em: em - MAX_LIVRO + at,
  }))
  for (let at = 0; at < rows.length; at += 200)
    await backstage.db
      .insertInto('passagens_de_turno')
      .values(rows.slice(at, at + 200))
      .execute()
  expect((await read(outra.admin)).completo).toBe(true)
  await write(outra.admin, 'mais uma')
  const livro = await read(outra.admin)
  expect([livro.completo, livro.passagens.length]).toEqual([false, MAX_LIVRO])
  expect(livro.passagens[0]?.texto).toBe('mais uma')
})
