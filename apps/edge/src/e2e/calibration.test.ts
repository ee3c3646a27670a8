import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Candidato } from '@vigia/contracts/candidate'
import type { AnaliseDesejada } from '@vigia/contracts/edge-state'
import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import { type CloudStandIn, type DesiredCamera, startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { type Program, startProgram } from '@vigia/testing/program'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'

/**
 * Tests changes of settings during the analysis: a deployed edge, a real broker, and the recorder simulator, which
 * counts connections.
 */

/** The product's promise. */
const EFFECT_MS = 5_000

let cloud: CloudStandIn
let recorder: RecorderProcess
let edge: Program
let version = 0

beforeAll(async () => {
  recorder = await startRecorder()
  cloud = await startCloudStandIn()
  cloud.codes.add('codigo')
  const code = join(cloud.dir, 'codigo')
  await writeFile(code, 'codigo\n')
  edge = await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: { VIGIA_DATA_DIR: cloud.dir, VIGIA_CLOUD_URL: cloud.url, VIGIA_ATIVACAO_ARQUIVO: code },
  })
  await waitFor('the first report', () => cloud.reports.length > 0)
}, 120_000)

afterAll(async () => {
  await edge.stop()
  await recorder.close()
  await cloud.close()
}, 60_000)

const analise = (ia: NomeIa, limits: Record<string, number> = {}, agenda: AnaliseDesejada['agenda'] = null) => ({
  ia,
  calibracao: { ...calibracaoPadrao[ia], resfriamento_s: 0, ...limits },
  agenda,
})
const camera = (id: number, ...analises: AnaliseDesejada[]): DesiredCamera => ({
  id,
  rtsp_url: recorder.url(1, 'sub'),
  analises,
})
/** One event per camera: an analysis that lost its state would raise another. */
const once = () => camera(2, analise('invasao', { resfriamento_s: 86_400 }))

const events = (id: number, ia: NomeIa = 'invasao'): Candidato[] =>
  cloud.arrived.flatMap(({ registro }) =>
    registro.tipo === 'candidato' && registro.camera_id === id && registro.ia === ia ? [registro] : [],
  )
const captureProcesses = () => readFileSync(`/proc/${edge.pid}/task/${edge.pid}/children`, 'utf8').trim()

/** Applies new settings to the cameras; returns the time, in epoch ms. */
async function configure(...cameras: DesiredCamera[]): Promise<number> {
  const at = Date.now()
  await cloud.configure(++version, cameras)
  return at
}

/** Waits for an event of the first camera that was detected after `at`, and expects it in time. */
async function firesInTime(ia: NomeIa, at: number) {
  const found = await waitFor(`an event of ${ia}`, () => events(1, ia).find(({ ocorrido_em }) => ocorrido_em > at))
  expect(found.ocorrido_em - at).toBeLessThan(EFFECT_MS)
}

/**
 * Expects that, two reports (more than five seconds) later, the first camera has no event newer than the time limit.
 */
async function staysQuiet(ia: NomeIa, at: number) {
  const from = cloud.reports.length
  await waitFor('two reports', () => cloud.reports.length >= from + 3, { timeoutMs: 40_000 })
  expect(events(1, ia).filter(({ ocorrido_em }) => ocorrido_em > at + EFFECT_MS)).toEqual([])
}

it('applies within five seconds on the same connection and leaves the other cameras unchanged', {
  timeout: 180_000,
}, async () => {
  await configure(camera(1, analise('invasao', { conf: 1 })), once())
  await waitFor('the one event', () => events(2).length === 1, { timeoutMs: 60_000 })
  const [pids, { describes }] = [captureProcesses(), await recorder.counts()]
  expect(events(1)).toEqual([])

  // A threshold.
  await firesInTime('invasao', await configure(camera(1, analise('invasao')), once()))
  // A zone without a person.
  const sky = { zonas: [[0, 0, 1, 0, 1, 0.02, 0, 0.02]] }
  await staysQuiet('invasao', await configure({ ...camera(1, analise('invasao')), ...sky }, once()))
  // Adds an IA.
  const stay = analise('permanencia', { permanencia_s: 1 })
  await firesInTime('permanencia', await configure(camera(1, analise('invasao', { conf: 1 }), stay), once()))
  // An Agenda without the current hour.
  const hour = (new Date().getUTCHours() + 12) % 24
  const agenda = { inicio: hour, fim: (hour + 1) % 24, dias: [] }
  const closed = { ...camera(1, analise('permanencia', { permanencia_s: 1 }, agenda)), fuso_horario: 'UTC' }
  await staysQuiet('permanencia', await configure(closed, once()))
  // Removes one IA and adds another.
  await firesInTime('invasao', await configure(camera(1, analise('invasao')), once()))

  expect((await recorder.counts()).describes).toBe(describes)
  expect(captureProcesses()).toBe(pids)
  expect(events(2)).toHaveLength(1)
})
