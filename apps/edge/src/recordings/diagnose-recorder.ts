import type { CameraTask } from '@vigia/analysis/model'
import type { ChamadaGravador } from '@vigia/contracts/diagnostico-gravador'
import type { ListaGravacao, RelogioGravador } from '@vigia/contracts/gravacoes'
import type { CommandContext } from '@vigia/link/responder'
import { describeUrl } from '@vigia/rtsp/archive/describe-url'
import { httpStatus } from '@vigia/rtsp/archive/http-status'
import type { ProbeOptions } from '@vigia/rtsp/contact'
import { createLoginGate } from '@vigia/rtsp/login-gate'
import { playbackTarget, playbackUrl } from '@vigia/rtsp/playback-urls'
import { createProbeSlots } from '../capture/connection-slots.ts'
import type { Handlers } from '../pedidos/handle-command.ts'
import type { ListOptions } from './list-recordings.ts'
import { recorderClock } from './recorder-clock.ts'

export interface DiagnosisOptions extends ListOptions {
  readonly list: Handlers['listar_gravacao']
}

type Result = Pick<ChamadaGravador, 'chamada' | 'resultado'> &
  Partial<Pick<ChamadaGravador, 'porta' | 'status' | 'trechos' | 'relogio'>>

const DAY_MS = 24 * 3_600_000
/** A recorder has written a part of this age. */
const RECENT_MS = 10 * 60_000
const RECENT_LENGTH_MS = 30_000
const NOT_ENOUGH_BANDWIDTH = 453

/** Runs each read-only call on a camera's recorder, one after the other. Nothing on the recorder changes. */
export function createDiagnosisHandler(options: DiagnosisOptions): Pick<Handlers, 'diagnosticar_gravador'> {
  const { allowed, slots, clocks, httpPorts, now, list } = options

  async function diagnose(task: CameraTask, context: CommandContext): Promise<ChamadaGravador[]> {
    const { signal, prazoMs } = context
    const url = task.fontes.rtsp_url
    const probe: ProbeOptions = { allowed, slots: createProbeSlots(slots), signal, prazoMs }
    const gate = createLoginGate({ trust: false })
    const calls: ChamadaGravador[] = []
    const call = async (run: () => Promise<Result>) => {
      const begun = performance.now()
      const none = { porta: null, status: null, trechos: null, relogio: null }
      const result = await run()
      calls.push({ ...none, ...result, ms: Math.round(performance.now() - begun) })
      return result
    }
    const described = async (chamada: Result['chamada'], address: string): Promise<Result> => {
      const answer = await describeUrl(address, { ...probe, gate })
      return { chamada, ...(answer.ok ? resultOf(answer.described) : { resultado: 'nao_respondeu' as const }) }
    }

    const live = await call(() => described('ao_vivo', url))
    for (const porta of httpPorts)
      await call(async () => {
        const answer = await httpStatus(new URL(url).hostname, porta, probe)
        const status = answer.ok ? answer.status : null
        return { chamada: 'porta_http', resultado: status === null ? 'nao_respondeu' : 'ok', porta, status }
      })
    // Another failed login could lock the edge out of the recorder.
    const isRefused = live.resultado === 'recusou_login'
    let relogio: RelogioGravador | null = null
    if (!isRefused)
      await call(async () => {
        relogio = await clocks.measure(url, task.fusoHorario, signal)
        return { chamada: 'relogio', resultado: relogio.medido ? 'ok' : 'nao_respondeu', relogio }
      })
    await call(async () => {
      if (isRefused) return { chamada: 'lista', resultado: 'nao_tentada' }
      const period = { inicio: now() - DAY_MS, fim: now() }
      const listed = await list({ acao: 'listar_gravacao', camera_id: task.id, ...period }, context)
      return { chamada: 'lista', ...(listed.ok ? ofList(listed.resultado.gravador) : { resultado: 'nao_respondeu' }) }
    })
    await call(async () => {
      if (isRefused) return { chamada: 'reproducao', resultado: 'nao_tentada' }
      const fromMs = now() - RECENT_MS
      const clock = relogio ?? { desvio_ms: 0, fuso_min: 0, z_local: false, medido: false }
      const recorded = playbackTarget(url)
        ? playbackUrl(url, { fromMs, toMs: fromMs + RECENT_LENGTH_MS }, recorderClock(clock))
        : null
      if (recorded === null) return { chamada: 'reproducao', resultado: 'sem_suporte' }
      return await described('reproducao', recorded)
    })
    return calls
  }

  return {
    async diagnosticar_gravador({ camera_id }, context) {
      const task = options.task(camera_id)
      if (!task) return { ok: false, falha: 'camera_desconhecida' }
      return { ok: true, resultado: { chamadas: await diagnose(task, context) } }
    },
  }
}

type Described = Extract<Awaited<ReturnType<typeof describeUrl>>, { ok: true }>['described']

function resultOf(described: Described): Pick<Result, 'resultado' | 'status'> {
  switch (described.kind) {
    case 'answer':
      return { resultado: ofStatus(described.status, described.video !== null), status: described.status }
    case 'unauthorized':
      return { resultado: 'recusou_login', status: 401 }
    case 'withheld':
      return { resultado: 'nao_tentada' }
    case 'full':
      return { resultado: 'ocupado' }
    case 'not_rtsp':
    case 'overlong':
      return { resultado: 'resposta_estranha' }
    default:
      return { resultado: 'nao_respondeu' }
  }
}

function ofStatus(status: number, hasVideo: boolean): Result['resultado'] {
  if (status === 200) return hasVideo ? 'ok' : 'nao_encontrado'
  if (status === 403) return 'sem_permissao'
  if (status === NOT_ENOUGH_BANDWIDTH || status === 503) return 'ocupado'
  return status === 404 || status === 454 ? 'nao_encontrado' : 'resposta_estranha'
}

const listFailures = {
  sem_arquivo: 'sem_suporte',
  sem_lista: 'sem_suporte',
  sem_permissao: 'sem_permissao',
  senha_recusada: 'recusou_login',
  inalcancavel: 'nao_respondeu',
  sem_conexao_livre: 'ocupado',
  interno: 'resposta_estranha',
} as const

const ofList = (listed: ListaGravacao['gravador']): Pick<Result, 'resultado' | 'trechos'> =>
  listed.estado === 'lista'
    ? { resultado: 'ok', trechos: listed.trechos.length }
    : { resultado: listFailures[listed.falha] }
