import type { Relatorio } from '@vigia/contracts/relatorios'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const HOUR = 3_600_000
/** A day of São Paulo, UTC-3. */
const DAY = Date.parse('2026-11-20T03:00:00Z')
const PERIOD = 'desde=2026-11-20T00:00:00-03:00&ate=2026-11-22T00:00:00-03:00'
/** Bounds of the time of the answer, epoch ms. */
const answered = { from: 0, until: 0 }

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(conta))
const camera = fixture(() => backstage.camera(conta.empresaId))

beforeAll(async () => {
  await conta.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.cameraId}`, { nome: '=HYPERLINK("x");' })
  const at = (hours: number, change: object = {}) =>
    backstage.event(camera, { ocorrido_em: DAY + hours * HOUR, recebido_em: DAY + hours * HOUR, ...change })
  // 23:30 of the first day is the next day in UTC.
  await backstage.verdict(await at(23.5), 'confirmado')
  await backstage.verdict(await at(10), 'refutado')
  const incidente = await backstage.incidenteOf(await at(30, { tipo: 'fogo', gravidade: 'critica' }))
  await at(-0.25)
  await at(48)
  await backstage.event(await backstage.camera(outra.empresaId), { ocorrido_em: DAY + HOUR })
  const answer = { resposta: 'falso', nota: 'Vapor' }
  answered.from = app.clock.now()
  await vigilante.expect(200, 'POST', `/api/v1/incidentes/${incidente}/atendimento`, answer)
  answered.until = app.clock.now()
  const queda = { empresa_id: conta.empresaId, edge_id: camera.edgeId, camera_id: camera.cameraId, nome: 'Portão' }
  await backstage.db
    .insertInto('quedas')
    .values([
      { ...queda, inicio: DAY - HOUR, fim: DAY + HOUR, motivo: 'sem_resposta' },
      { ...queda, inicio: DAY + 50 * HOUR, fim: DAY + 51 * HOUR, motivo: 'sem_resposta' },
    ])
    .execute()
})

const report = (by: Client, query = '') => by.expect<Relatorio>(200, 'GET', `/api/v1/relatorios?${PERIOD}${query}`)

it('counts a period by local day, hour, camera and IA, of the own Empresas only', async () => {
  const { total, por_dia, por_hora, por_camera, por_ia, fuso_horario } = await report(conta.admin)
  expect(fuso_horario).toBe('America/Sao_Paulo')
  expect(total).toEqual({ eventos: 3, confirmados: 1, refutados: 1, pendentes: 1 })
  expect(por_dia).toEqual([
    { dia: '2026-11-20', eventos: 2, confirmados: 1, refutados: 1, pendentes: 0 },
    { dia: '2026-11-21', eventos: 1, confirmados: 0, refutados: 0, pendentes: 1 },
  ])
  expect(por_hora.filter(({ eventos }) => eventos > 0).map(({ hora }) => hora)).toEqual([6, 10, 23])
  expect(por_camera).toEqual([{ camera_id: camera.cameraId, camera_nome: '=HYPERLINK("x");', ...total }])
  expect(por_ia.map(({ tipo, eventos }) => [tipo, eventos])).toEqual([
    ['invasao', 2],
    ['fogo', 1],
  ])
})

it('has answers, their times, and the part of each queda in the period', async () => {
  const { respostas, quedas } = await report(conta.admin)
  expect(respostas).toMatchObject({ incidentes: 2, respondidos: 1, falsos: 1, falso_alarme: 1 })
  expect(respostas.por_pessoa).toMatchObject([{ revisor: 'rui', respondidos: 1 }])
  const [least, most] = [answered.from, answered.until].map((at) => Math.round((at - DAY - 30 * HOUR) / 1000))
  expect(respostas.mediana_s).toBeGreaterThanOrEqual(least ?? Number.NaN)
  expect(respostas.mediana_s).toBeLessThanOrEqual(most ?? Number.NaN)
  expect(quedas).toMatchObject({ total: 1, segundos: 3600, por_nome: [{ nome: 'Portão', total: 1 }] })
})

it('is narrowed to one Empresa or camera', async () => {
  expect((await report(app.operator, `&empresa_id=${outra.empresaId}`)).total.eventos).toBe(1)
  expect((await report(app.operator, `&camera_id=${camera.cameraId}`)).total.eventos).toBe(3)
  const foreign = `/api/v1/relatorios?${PERIOD}&camera_id=${camera.cameraId}`
  expect((await outra.admin.send('GET', foreign)).status).toBe(404)
  expect((await outra.admin.send('GET', `/api/v1/relatorios?${PERIOD}&empresa_id=${conta.empresaId}`)).status).toBe(404)
  expect((await vigilante.send('GET', `/api/v1/relatorios?${PERIOD}`)).status).toBe(403)
})

it('refuses a period that is inverted, missing or longer than a year', async () => {
  const status = async (query: string) => (await conta.admin.send('GET', `/api/v1/relatorios?${query}`)).status
  expect(await status('desde=2026-11-20T00:00:00Z')).toBe(422)
  expect(await status('desde=2026-11-20T00:00:00Z&ate=2026-11-19T00:00:00Z')).toBe(422)
  expect(await status('desde=2025-11-20T00:00:00Z&ate=2026-11-22T00:00:00Z')).toBe(422)
})

it('gives each table as CSV, without formulas', async () => {
  const csv = async (tabela: string) => {
    const headers = { authorization: `Bearer ${conta.admin.token}` }
    const response = await fetch(`${app.url}/api/v1/relatorios/csv?${PERIOD}&tabela=${tabela}`, { headers })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(response.headers.get('content-disposition')).toContain(`relatorio-${tabela}.csv`)
    return Buffer.from(await response.arrayBuffer()).toString()
  }
  expect(await csv('dia')).toBe(
    '\uFEFFdia;eventos;confirmados;refutados;pendentes\r\n2026-11-20;2;1;1;0\r\n2026-11-21;1;0;0;1\r\n',
  )
  expect(await csv('camera')).toContain(`${camera.cameraId};"'=HYPERLINK(""x"");";3;1;1;1\r\n`)
  for (const tabela of ['hora', 'ia', 'pessoa', 'queda'])
    expect((await csv(tabela)).split('\r\n').length).toBeGreaterThan(2)
  expect((await vigilante.send('GET', `/api/v1/relatorios/csv?${PERIOD}&tabela=dia`)).status).toBe(403)
})
