import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { ChaveCriada } from '@vigia/contracts/chaves'
import type { Simulacao } from '@vigia/contracts/simulacao'
import { mergeCalibration } from '@vigia/ias/calibration'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import { type Client, clientOf } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))
const foreign = fixture(() => app.account('Alheia'))

const MIN_MS = 60_000
const HOUR_MS = 60 * MIN_MS
const pathOf = (cameraId: number) => `/api/v1/cameras/${cameraId}/simular-calibracao`

let keys = 0
/** A key of its own, so that the rate limit of another request does not count. */
async function keyClient(): Promise<Client> {
  keys += 1
  const body = { nome: `Simulação ${keys}`, escopo: 'escrita' }
  return clientOf(app.url, (await own.admin.expect<ChaveCriada>(201, 'POST', '/api/v1/chaves', body)).chave)
}
const simulate = async (cameraId: number, body: object) =>
  (await keyClient()).expect<Simulacao>(200, 'POST', pathOf(cameraId), body)
const refusal = async (cameraId: number, body: object) => {
  type Refused = { detail: { loc: (string | number)[]; msg: string }[] }
  const { status, body: answer } = await (await keyClient()).send<Refused>('POST', pathOf(cameraId), body)
  return { status, loc: answer.detail[0]?.loc, msg: answer.detail[0]?.msg }
}

async function seed() {
  const camera = await backstage.camera(own.empresaId)
  await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${camera.cameraId}`, {
    eventos_habilitados: ['invasao', 'epi'],
    config_ia: {},
    agenda: {},
  })
  const now = app.clock.now()
  const calibracao_json = JSON.stringify(mergeCalibration({}).invasao)
  const store = (minutesAgo: number, confianca: number, rest = {}) =>
    backstage.event(camera, { ocorrido_em: now - minutesAgo * MIN_MS, confianca, calibracao_json, ...rest })
  return { ...camera, now, store }
}

describe('a simulation', () => {
  it('counts the events that would have come, with the pictures of the others, and changes nothing', async () => {
    const { cameraId, store } = await seed()
    const weak = await store(90, 0.5)
    const strong = await store(80, 0.8)
    const reviewed = await store(30, 0.55)
    await store(25 * 60, 0.5)
    await backstage.verdict(weak, 'refutado')
    for (const [id, rotulo_humano] of [
      [reviewed, 'refutado'],
      [strong, 'confirmado'],
    ] as const)
      await own.admin.expect(200, 'POST', `/api/v1/events/${id}/revisao`, { rotulo_humano, revisor: 'Ana' })
    const before = await own.admin.expect<Camera>(200, 'GET', `/api/v1/cameras/${cameraId}`)

    const answer = await simulate(cameraId, { config_ia: { invasao: { conf: 0.6 } } })
    expect(answer).toMatchObject({
      camera_id: cameraId,
      antes: 3,
      depois: 1,
      exato: false,
      ficam: [strong],
      somem_total: 2,
      somem: [
        { evento_id: reviewed, tipo: 'invasao', motivo: 'conf', exato: false, revisao: 'refutado', veredito: null },
        { evento_id: weak, imagem_url: `/api/v1/crops/${weak}`, veredito: 'refutado', revisao: null },
      ],
      surgem: [],
      surgem_total: 0,
      por_ia: [{ tipo: 'invasao', antes: 3, depois: 1, exato: false }],
      revisados: { verdadeiros: { antes: 1, depois: 1 }, falsos: { antes: 1, depois: 0 } },
      avisos: [{ codigo: 'sem_descartados' }],
    })
    const hours = answer.por_hora
    expect(hours.map(({ inicio }) => Date.parse(inicio) % HOUR_MS)).toEqual(hours.map(() => 0))
    expect(Date.parse(answer.ate) - Date.parse(answer.desde)).toBe(24 * HOUR_MS)
    expect(hours.reduce((sum, { antes }) => sum + antes, 0)).toBe(3)
    expect(hours.reduce((sum, { depois }) => sum + depois, 0)).toBe(1)
    expect(await own.admin.expect(200, 'GET', `/api/v1/cameras/${cameraId}`)).toEqual(before)
  })

  it('with the settings in force returns every event, exactly', async () => {
    const { cameraId, store } = await seed()
    const ids = [await store(50, 0.5), await store(40, 0.8), await store(39, 0.7)]
    expect(await simulate(cameraId, {})).toMatchObject({ antes: 3, depois: 3, exato: true, ficam: ids, somem: [] })
  })

  it('follows the Agenda in the time zone of the Empresa, exactly', async () => {
    const { cameraId, store, now } = await seed()
    await store(30, 0.5)
    // Six hours away from the present in both directions.
    const hour = (Number(new Date(now - 3 * HOUR_MS).toISOString().slice(11, 13)) + 9) % 24
    const agenda = { invasao: { inicio: hour, fim: (hour + 6) % 24, dias: [] } }
    const answer = await simulate(cameraId, { agenda })
    expect(answer).toMatchObject({ antes: 1, depois: 0, exato: true, somem: [{ motivo: 'agenda', exato: true }] })
  })

  it('knows several windows of half hours, and holidays', async () => {
    const { cameraId, store, now } = await seed()
    const event = await store(30, 0.8)
    const path = `/api/v1/empresas/${own.empresaId}/feriados`
    const local = new Date(now - 30 * MIN_MS - 3 * HOUR_MS)
    const data = local.toISOString().slice(0, 10)
    await own.admin.expect(200, 'PUT', path, { listas: [{ nome: 'Hoje', datas: [data] }] })
    const [today, other] = [(local.getUTCDay() + 6) % 7, (local.getUTCDay() + 8) % 7]
    const whole = (dia: number) => [
      { dias: [dia], inicio: '00:00', fim: '12:30' },
      { dias: [dia], inicio: '12:30', fim: '24:00' },
    ]
    const kept = { antes: 1, depois: 1, ficam: [event] }
    const lost = { antes: 1, depois: 0, somem: [{ motivo: 'agenda' }] }
    const feriados = { lista: 'Hoje', dia: other }
    expect(await simulate(cameraId, { horarios: { invasao: whole(today) } })).toMatchObject(kept)
    expect(await simulate(cameraId, { horarios: { invasao: whole(other) } })).toMatchObject(lost)
    expect(await simulate(cameraId, { horarios: { invasao: whole(other), feriados } })).toMatchObject(kept)
    expect(await simulate(cameraId, { horarios: { invasao: whole(today), feriados } })).toMatchObject(lost)
  })

  it('reads the last event before the period for the cooldown', async () => {
    const { cameraId, store, now } = await seed()
    await store(65, 0.8)
    const late = await store(57, 0.8)
    const body = { desde: new Date(now - HOUR_MS).toISOString(), config_ia: { invasao: { resfriamento_s: 600 } } }
    expect(await simulate(cameraId, body)).toMatchObject({
      antes: 1,
      depois: 0,
      somem: [{ evento_id: late, motivo: 'resfriamento', exato: false }],
    })
  })

  it.each([
    [{ config_ia: { invasao: { conf: 0.3 } } }, ['config_ia', 'invasao', 'conf'], /maior/],
    [{ config_ia: { invasao: { min_quadros: 9 } } }, ['config_ia', 'invasao', 'min_quadros'], /não pode ser simulada/],
    [{ config_ia: { epi: { area_min: 0.5 } } }, ['config_ia', 'epi', 'area_min'], /não pode ser simulada/],
    [{ eventos_habilitados: ['fogo'] }, ['eventos_habilitados'], /não estava ligada/],
    [{ desde: '2020-01-01T00:00:00Z' }, ['desde'], /no máximo 7 dias/],
    [{ desde: '2026-01-02T00:00:00Z', ate: '2026-01-01T00:00:00Z' }, ['desde'], /antes do fim/],
    [{ ate: '2999-01-01T00:00:00Z' }, ['ate'], /futuro/],
    [{ config_ia: { invasao: { conf: 2 } } }, ['config_ia', 'invasao', 'conf'], /./],
    [{ limiares: {} }, ['limiares'], /./],
  ])('refuses %j with a sentence', async (body, loc, msg) => {
    const { cameraId } = await seed()
    const refused = await refusal(cameraId, body)
    expect([refused.status, refused.loc]).toEqual([422, ['body', ...loc]])
    expect(refused.msg).toMatch(msg)
  })

  it('refuses hours in which the IA was not armed', async () => {
    const { cameraId } = await seed()
    const agenda = { invasao: { inicio: 22, fim: 6, dias: [] } }
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${cameraId}`, { agenda })
    const { status, loc } = await refusal(cameraId, { agenda: {} })
    expect([status, loc]).toEqual([422, ['body', 'agenda', 'invasao']])
    expect((await refusal(cameraId, { horarios: {} })).loc).toEqual(['body', 'horarios', 'invasao'])
  })

  it('is for an administrador in scope', async () => {
    const { cameraId } = await seed()
    expect((await own.usuario.send('POST', pathOf(cameraId), {})).status).toBe(403)
    expect((await foreign.admin.send('POST', pathOf(cameraId), {})).status).toBe(404)
  })

  it('runs ten times a minute and login', async () => {
    const { cameraId } = await seed()
    const client = await keyClient()
    const answers = []
    for (let n = 0; n < 11; n++) answers.push(await client.send('POST', pathOf(cameraId), {}))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429])
    expect(answers.at(-1)?.headers.get('retry-after')).not.toBeNull()
  })
})

describe('a simulation with the tracks that the edge reported', () => {
  const caixa = { rotulo: 'person', confianca: 0.5, x: 0.1, y: 0.2, w: 0.3, h: 0.4 }
  const jpeg = blankJpeg(300, 'discard')

  interface Discard extends Record<string, unknown> {
    readonly motivo: string
    readonly trilha: string
    readonly tipo?: string
  }

  async function seedTracks() {
    const seeded = await seed()
    const { cameraId, empresaId, now, store } = seeded
    const calibracao = mergeCalibration({}).invasao
    const discard = async (minutesAgo: number, rest: Discard) => {
      const { motivo, tipo = 'invasao', ...others } = rest
      const caminho = `descartados/${randomUUID()}.jpg`
      await createFileMediaStore({ dir: join(app.dataDir, 'cloud/media') }).put(caminho, jpeg)
      const dados = {
        visita: rest.trilha,
        disparou_ms: null,
        completo: true,
        confianca: 0.5,
        caixa,
        trajeto: [],
        calibracao,
      }
      const { id } = await backstage.db
        .insertInto('descartados')
        .values({
          uuid: randomUUID(),
          empresa_id: empresaId,
          camera_id: cameraId,
          tipo,
          motivo,
          omitidos: 0,
          ocorrido_em: now - minutesAgo * MIN_MS,
          recebido_em: now,
          caminho,
          dados_json: JSON.stringify({ ...dados, ...others }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    }
    const event = await store(30, 0.5, { trilha: 't-1' })
    await discard(30, {
      motivo: 'alertado',
      trilha: 't-1',
      disparou_ms: 0,
      marcas: [
        [0, 0.5, 0.1, 0],
        [4000, 0.8, 0.1, 0],
      ],
    })
    return { ...seeded, event, discard }
  }

  it('is exact for a higher conf: the event comes when its track is clear enough, or never', async () => {
    const { cameraId, event } = await seedTracks()
    const answer = await simulate(cameraId, { config_ia: { invasao: { conf: 0.7 } } })
    expect(answer).toMatchObject({ antes: 1, depois: 1, exato: true, ficam: [event], avisos: [] })
    expect(await simulate(cameraId, { config_ia: { invasao: { conf: 0.9 } } })).toMatchObject({
      antes: 1,
      depois: 0,
      exato: true,
      somem: [{ evento_id: event, motivo: 'conf', exato: true }],
    })
  })

  it('shows what would come with a lower conf, as an estimate, with its picture', async () => {
    const { cameraId, discard } = await seedTracks()
    const weak = await discard(20, { motivo: 'conf', trilha: 't-2', marcas: [[0, 0.42, 0.1, 0]] })
    const answer = await simulate(cameraId, { config_ia: { invasao: { conf: 0.41 } } })
    expect(answer).toMatchObject({
      antes: 1,
      depois: 2,
      exato: false,
      surgem_total: 1,
      surgem: [{ evento_id: null, descartado_id: weak, motivo: 'conf', exato: false }],
    })
    const url = answer.surgem[0]?.imagem_url ?? ''
    const picture = await fetch(`${app.url}${url}`)
    expect([picture.status, Buffer.from(await picture.arrayBuffer()).equals(jpeg)]).toEqual([200, true])
  })

  it('estimates another time of a stay from those who stayed too short', async () => {
    const { cameraId, store, discard } = await seedTracks()
    const config = (permanencia_s: number) => ({ config_ia: { permanencia: { permanencia_s } } })
    await own.admin.expect(200, 'PATCH', `/api/v1/cameras/${cameraId}`, { eventos_habilitados: ['permanencia'] })
    const refused = await refusal(cameraId, config(400))
    expect([refused.status, refused.msg]).toEqual([422, expect.stringMatching(/até 5 minutos/)])
    const marks = (...seconds: number[]) => seconds.map((s) => [s * 1000, 0.8, 0.1, 0])
    const short = await discard(20, { tipo: 'permanencia', motivo: 'duracao', trilha: 't-4', marcas: marks(0, 6, 12) })
    const answer = await simulate(cameraId, config(10))
    expect(answer).toMatchObject({
      exato: false,
      surgem_total: 1,
      surgem: [{ descartado_id: short, tipo: 'permanencia', motivo: 'duracao', exato: false }],
    })
    // An event whose track was not reported.
    await store(40, 0.8, { tipo: 'permanencia', detalhes_json: '{"duracao_s":30}' })
    const unknown = await refusal(cameraId, config(10))
    expect([unknown.status, unknown.msg]).toEqual([422, expect.stringMatching(/não ficou guardado/)])
  })

  it('shows, exactly, what the cooldown of an event had stopped', async () => {
    const { cameraId, discard } = await seedTracks()
    const waited = await discard(29.9, { motivo: 'resfriamento', trilha: 't-3', marcas: [[0, 0.8, 0.1, 0]] })
    const answer = await simulate(cameraId, { config_ia: { invasao: { resfriamento_s: 1 } } })
    expect(answer).toMatchObject({
      antes: 1,
      depois: 2,
      exato: true,
      surgem: [{ descartado_id: waited, motivo: 'resfriamento', exato: true }],
    })
  })
})
