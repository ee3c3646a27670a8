import type { Concordancia } from '@vigia/contracts/concordancia'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { transact } from '../../../db/transaction.ts'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { saveVerdict } from '../../operacao/verificacao/save-verdict.ts'

const HOUR = 3_600_000
const DAY = Date.parse('2026-11-20T00:00:00Z')
const PERIOD = 'desde=2026-11-20T06:00:00Z&ate=2026-11-21T06:00:00Z'

type Verdict = readonly [decisao: 'confirmado' | 'refutado', certeza: 'alta' | 'baixa']

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Integradora'))
const filha = fixture(() => app.account('Padaria', conta.admin))
const outra = fixture(() => app.account('Farmácia'))
const vigilante = fixture(() => app.vigilante(filha))
const camera = fixture(() => backstage.camera(filha.empresaId))

beforeAll(async () => {
  const event = (hours: number) =>
    backstage.event(camera, { ocorrido_em: DAY + hours * HOUR, recebido_em: DAY + hours * HOUR })
  const reviewed = async (hours: number, verdict: Verdict | null, rotulo_humano: string) => {
    const id = await event(hours)
    if (verdict) {
      const [decisao, certeza] = verdict
      const veredito = { decisao, certeza, confianca: 0.9, motivo: '', fonte: 'teste' }
      await transact(backstage.db, (tx) => saveVerdict(tx, id, veredito, '{}', app.clock.now()))
    }
    await filha.admin.expect(200, 'POST', `/api/v1/events/${id}/revisao`, { rotulo_humano, revisor: 'Ana' })
  }
  await reviewed(7, ['confirmado', 'alta'], 'confirmado')
  await reviewed(8, ['confirmado', 'alta'], 'refutado')
  await reviewed(25, ['confirmado', 'baixa'], 'refutado')
  await reviewed(26, ['refutado', 'alta'], 'refutado')
  await reviewed(29, ['refutado', 'alta'], 'confirmado')
  // Without a verdict, and at both ends out of the period.
  await reviewed(9, null, 'confirmado')
  await reviewed(5.9, ['confirmado', 'alta'], 'confirmado')
  await reviewed(30, ['confirmado', 'alta'], 'confirmado')
  // The answer of a vigilante is no review.
  const incidente = await backstage.incidenteOf(await event(20))
  await vigilante.expect(200, 'POST', `/api/v1/incidentes/${incidente}/atendimento`, { resposta: 'falso' })
})

const agreement = (by: Client, query = '') =>
  by.expect<Concordancia>(200, 'GET', `/api/v1/concordancia?${PERIOD}${query}`)

const expected = {
  alta: { verdadeiros: 1, falsos: 1 },
  baixa: { verdadeiros: 0, falsos: 1 },
  sem_certeza: { verdadeiros: 0, falsos: 0 },
  refutado: { verdadeiros: 1, falsos: 1 },
  revisados: 5,
  concordam: 2,
}

it('counts the reviews of a period to the millisecond, by class of the verdict', async () => {
  const { total, linhas } = await agreement(filha.admin)
  expect(total).toEqual(expected)
  expect(linhas).toEqual([{ camera_id: camera.cameraId, camera_nome: expect.any(String), ia: 'invasao', ...expected }])
})

it('follows a changed review', async () => {
  const [id] = await backstage.db
    .selectFrom('eventos')
    .select('id')
    .where('ocorrido_em', '=', DAY + 8 * HOUR)
    .execute()
  const path = `/api/v1/events/${id?.id}/revisao`
  await filha.admin.expect(200, 'POST', path, { rotulo_humano: 'confirmado', revisor: 'Ana' })
  expect((await agreement(filha.admin)).total).toMatchObject({ alta: { verdadeiros: 2, falsos: 0 }, concordam: 3 })
  await filha.admin.expect(200, 'POST', path, { rotulo_humano: 'refutado', revisor: 'Ana' })
  expect((await agreement(filha.admin)).total).toEqual(expected)
})

it('is limited to the scope, one Empresa and one camera', async () => {
  expect((await agreement(conta.admin)).total.revisados).toBe(5)
  expect((await agreement(conta.admin, `&empresa_id=${conta.empresaId}`)).linhas).toEqual([])
  expect((await agreement(app.operator, `&camera_id=${camera.cameraId}`)).total.revisados).toBe(5)
  expect((await agreement(outra.admin)).linhas).toEqual([])
  const status = async (by: Client, query = '') =>
    (await by.send('GET', `/api/v1/concordancia?${PERIOD}${query}`)).status
  expect(await status(outra.admin, `&camera_id=${camera.cameraId}`)).toBe(404)
  expect(await status(outra.admin, `&empresa_id=${filha.empresaId}`)).toBe(404)
  expect(await status(vigilante)).toBe(403)
  expect(
    (await filha.admin.send('GET', '/api/v1/concordancia?desde=2025-01-01T00:00:00Z&ate=2026-11-22T00:00:00Z')).status,
  ).toBe(422)
})
