import { randomUUID } from 'node:crypto'
import type { CameraTask } from '@vigia/analysis/model'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { freePort } from '@vigia/testing/free-port'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { createDiagnosisHandler } from './diagnose-recorder.ts'
import { createListHandler, type ListOptions } from './list-recordings.ts'
import { createRecorderClocks } from './recorder-clock.ts'

const allowed = parseAllowedCidrs('127.0.0.0/8')
const slots = createOwnSlots(createHostSlots(2))
const hour = (hours: number) => Math.floor(Date.now() / 3_600_000) * 3_600_000 + hours * 3_600_000
const held = { fromMs: hour(-10), toMs: hour(-7) }
let recorder: RecorderProcess
let porta: number

beforeAll(async () => {
  porta = await freePort()
  recorder = await startRecorder({
    gravacao: {
      // A recorder west of UTC whose `Z` is its wall clock. The newest part proves that.
      fusoMin: -180,
      z: 'local',
      lista: { porta },
      trechos: [
        { inicio: held.fromMs, fim: held.toMs },
        { inicio: hour(-5), fim: Date.now() + 3_600_000 },
      ],
    },
  })
})
afterAll(() => recorder.close())

function start(path: string, options: Partial<ListOptions> = {}, senha = recorder.senha) {
  const login = `${recorder.usuario}:${encodeURIComponent(senha)}`
  const fontes = { rtsp_url: `rtsp://${login}@127.0.0.1:${recorder.porta}${path}`, sub_rtsp_url: null }
  const task = { id: 7, fontes, analises: [], zonas: {}, linha: null, fusoHorario: 'America/Sao_Paulo' }
  const used: ListOptions = {
    clocks: createRecorderClocks({ slots, allowed, now: Date.now, ports: [] }),
    allowed,
    slots,
    httpPorts: [porta],
    held: { list: () => [] },
    now: Date.now,
    isOnline: () => false,
    task: (id) => (id === 7 ? (task as unknown as CameraTask) : null),
    ...options,
  }
  const { listar_gravacao } = createListHandler(used)
  const { diagnosticar_gravador } = createDiagnosisHandler({ ...used, list: listar_gravacao })
  const diagnose = async () => {
    const context = { id: randomUUID(), signal: new AbortController().signal, prazoMs: 60_000 }
    const answer = await diagnosticar_gravador({ acao: 'diagnosticar_gravador', camera_id: 7 }, context)
    return answer.ok ? answer.resultado.chamadas : []
  }
  const list = async (inicio = hour(-12), fim = hour(-6), camera_id = 7) =>
    await listar_gravacao(
      { acao: 'listar_gravacao', camera_id, inicio, fim },
      { id: randomUUID(), signal: new AbortController().signal, prazoMs: 60_000 },
    )
  return Object.assign(list, { diagnose })
}
const missing = (falha: string) => ({ ok: true, resultado: { gravador: { estado: 'sem_lista', falha }, caixa: [] } })

it.each(['/Streaming/Channels/101', '/cam/realmonitor?channel=1&subtype=0'])(
  'lists the recorder of %s in true time, and the recordings of the edge',
  async (path) => {
    const file = { cameraId: 7, startMs: hour(-9), durationMs: 60_000, bytes: 1, uncertainMs: null }
    const next = { ...file, startMs: hour(-9) + 60_000 }
    const unsure = { ...file, startMs: hour(-9) + 120_000, uncertainMs: 7_000 }
    const list = start(path, { held: { list: () => [file, next, unsure] } })
    expect(await list()).toMatchObject({
      resultado: {
        gravador: { estado: 'lista', completa: true, trechos: [{ de: held.fromMs, ate: held.toMs }] },
        caixa: [
          { de: hour(-9), ate: hour(-9) + 120_000 },
          { de: hour(-9) + 120_000, ate: hour(-9) + 180_000, incerta_ms: 7_000 },
        ],
      },
    })
  },
)

it('ends now, also if the recorder lists the future', async () => {
  const listed = await start('/cam/realmonitor?channel=1&subtype=0')(hour(-5), hour(10))
  if (!listed.ok || listed.resultado.gravador.estado !== 'lista') throw new Error(JSON.stringify(listed))
  const [trecho] = listed.resultado.gravador.trechos
  expect(trecho?.de).toBe(hour(-5))
  expect(trecho?.ate).toBeLessThanOrEqual(Date.now())
})

it('says why there is no list', async () => {
  expect(await start('/stream1')()).toEqual(missing('sem_arquivo'))
  expect(await start('/Streaming/Channels/101', { httpPorts: [1] })()).toEqual(missing('sem_lista'))
  expect(await start('/Streaming/Channels/101')(hour(-12), hour(-6), 8)).toEqual({
    ok: false,
    falha: 'camera_desconhecida',
  })
  const online = { isOnline: () => true }
  const path = '/cam/realmonitor?channel=1&subtype=0'
  expect(await start(path, online, 'errada')()).toEqual(missing('sem_permissao'))
})

it('tries a refused login again after half an hour', async () => {
  const refusals = async () => (await recorder.counts()).lista_logins_recusados ?? 0
  const before = await refusals()
  let now = Date.now()
  const list = start('/cam/realmonitor?channel=1&subtype=0', { now: () => now }, 'errada')
  for (let attempt = 0; attempt < 3; attempt++) expect(await list()).toEqual(missing('senha_recusada'))
  expect(await refusals()).toBe(before + 1)
  now += 31 * 60_000
  await list()
  expect(await refusals()).toBe(before + 2)
})

it('runs each call of a diagnosis, and reports numbers only', async () => {
  const { diagnose } = start('/Streaming/Channels/101', { httpPorts: [porta, 1] })
  const calls = await diagnose()
  expect(calls).toMatchObject([
    { chamada: 'ao_vivo', resultado: 'ok', status: 200 },
    { chamada: 'porta_http', resultado: 'ok', porta, status: 404 },
    { chamada: 'porta_http', resultado: 'nao_respondeu', porta: 1 },
    // The recorder of this test has no ONVIF.
    { chamada: 'relogio', resultado: 'nao_respondeu', relogio: { fuso_min: -180, z_local: true } },
    { chamada: 'lista', resultado: 'ok', trechos: 2 },
    { chamada: 'reproducao', resultado: 'ok', status: 200 },
  ])
  for (const secret of [recorder.usuario, recorder.senha, '127.0.0.1'])
    expect(JSON.stringify(calls)).not.toContain(secret)
})

it('tries a refused password once in a diagnosis', async () => {
  const before = await recorder.counts()
  const calls = await start('/cam/realmonitor?channel=1&subtype=0', {}, 'errada').diagnose()
  expect(calls.map(({ chamada, resultado }) => `${chamada} ${resultado}`)).toEqual([
    'ao_vivo recusou_login',
    'porta_http ok',
    'lista nao_tentada',
    'reproducao nao_tentada',
  ])
  const after = await recorder.counts()
  expect(after.logins_recusados).toBe(before.logins_recusados + 1)
  expect(after.lista_logins_recusados).toBe(before.lista_logins_recusados)
})
