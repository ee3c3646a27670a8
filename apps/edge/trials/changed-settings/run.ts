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

/** The effect of one change. */
interface Effect {
  readonly change: string
  /** From the change to the first event that it causes, or to the last event that it ends; 0: no event after it. */
  readonly effectMs: number
  /** Events of frames that are newer than the third report after a change that ends events. */
  readonly lateEvents: number
}

/** A value before and after all changes. */
type BeforeAfter<T> = readonly [T, T]

interface Changes {
  readonly effects: readonly Effect[]
  /** Requests to the recorder. */
  readonly describes: BeforeAfter<number>
  /** Ids of the capture processes. */
  readonly processes: BeforeAfter<string>
  /** Events of the camera whose settings stay: one before the changes, and none that a lost state would add. */
  readonly otherEvents: number
}

/** Changes settings during the analysis. Edge and broker are real programs; the simulator counts connections. */
export async function changeSettings(onChange: (change: string) => void): Promise<Changes> {
  const [recorder, cloud] = await Promise.all([startRecorder(), startCloudStandIn()])
  let edge: Program | null = null
  try {
    edge = await startEdge(cloud)
    return await change(cloud, recorder, edge, onChange)
  } finally {
    await edge?.stop()
    await recorder.close()
    await cloud.close()
  }
}

async function startEdge(cloud: CloudStandIn): Promise<Program> {
  cloud.codes.add('codigo')
  const code = join(cloud.dir, 'codigo')
  await writeFile(code, 'codigo\n')
  const edge = await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: { VIGIA_DATA_DIR: cloud.dir, VIGIA_CLOUD_URL: cloud.url, VIGIA_ATIVACAO_ARQUIVO: code },
  })
  await waitFor('the first report', () => cloud.reports.length > 0)
  return edge
}

const analise = (ia: NomeIa, limits: Record<string, number> = {}, agenda: AnaliseDesejada['agenda'] = null) => ({
  ia,
  calibracao: { ...calibracaoPadrao[ia], resfriamento_s: 0, ...limits },
  agenda,
})

async function change(
  cloud: CloudStandIn,
  recorder: RecorderProcess,
  edge: Program,
  onChange: (change: string) => void,
): Promise<Changes> {
  const camera = (id: number, ...analises: AnaliseDesejada[]): DesiredCamera => ({
    id,
    rtsp_url: recorder.url(1, 'sub'),
    analises,
  })
  /** One event per camera: an analysis that lost its state would raise another. */
  const other = camera(2, analise('invasao', { resfriamento_s: 86_400 }))
  const events = (id: number, ia: NomeIa = 'invasao'): Candidato[] =>
    cloud.arrived.flatMap(({ registro }) =>
      registro.tipo === 'candidato' && registro.camera_id === id && registro.ia === ia ? [registro] : [],
    )
  const newerThan = (ia: NomeIa, at: number) => events(1, ia).filter(({ ocorrido_em }) => ocorrido_em > at)
  const captureProcesses = () => readFileSync(`/proc/${edge.pid}/task/${edge.pid}/children`, 'utf8').trim()
  const describes = async () => (await recorder.counts()).describes
  let version = 0
  const configure = async (first: DesiredCamera): Promise<number> => {
    const at = Date.now()
    await cloud.configure(++version, [first, other])
    return at
  }
  const fires = async (name: string, ia: NomeIa, first: DesiredCamera): Promise<Effect> => {
    onChange(name)
    const at = await configure(first)
    const found = await waitFor(`an event of ${ia}`, () => newerThan(ia, at)[0], { timeoutMs: 60_000 })
    return { change: name, effectMs: found.ocorrido_em - at, lateEvents: 0 }
  }
  const reports = async (count: number) => {
    const from = cloud.reports.length
    await waitFor('further reports', () => cloud.reports.length >= from + count, { timeoutMs: 60_000 })
  }
  const staysQuiet = async (name: string, ia: NomeIa, first: DesiredCamera): Promise<Effect> => {
    onChange(name)
    const at = await configure(first)
    // Three reports are at least two periods: more than five seconds.
    await reports(3)
    const quietSince = Date.now()
    await reports(2)
    const effectMs = Math.max(0, ...newerThan(ia, at).map(({ ocorrido_em }) => ocorrido_em - at))
    return { change: name, effectMs, lateEvents: newerThan(ia, quietSince).length }
  }

  await configure(camera(1, analise('invasao', { conf: 1 })))
  await waitFor('the one event', () => events(2).length === 1, { timeoutMs: 60_000 })
  const [processesBefore, describesBefore] = [captureProcesses(), await describes()]
  if (events(1).length > 0) throw new Error('an event above the highest threshold')
  const noPerson = { zonas: [[0, 0, 1, 0, 1, 0.02, 0, 0.02]] }
  const stay = { permanencia_s: 1 }
  const hour = (new Date().getUTCHours() + 12) % 24
  const agenda = { inicio: hour, fim: (hour + 1) % 24, dias: [] }
  const effects = [
    await fires('a threshold', 'invasao', camera(1, analise('invasao'))),
    await staysQuiet('a zone without a person', 'invasao', { ...camera(1, analise('invasao')), ...noPerson }),
    await fires('an added IA', 'permanencia', camera(1, analise('invasao', { conf: 1 }), analise('permanencia', stay))),
    await staysQuiet('an agenda without the current hour', 'permanencia', {
      ...camera(1, analise('permanencia', stay, agenda)),
      fuso_horario: 'UTC',
    }),
    await fires('one IA in place of another', 'invasao', camera(1, analise('invasao'))),
  ]
  return {
    effects,
    describes: [describesBefore, await describes()],
    processes: [processesBefore, captureProcesses()],
    otherEvents: events(2).length,
  }
}
