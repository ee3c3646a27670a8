import type { CameraTask } from '@vigia/analysis/model'
import {
  type FalhaListaGravacao,
  type ListaGravacao,
  MAX_LISTA_GRAVACAO_MS,
  MAX_TRECHOS_GRAVACAO,
  type RelogioGravador,
} from '@vigia/contracts/gravacoes'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import { type ListFalha, listRecorded } from '@vigia/rtsp/archive/list-recorded'
import { mergeSpans } from '@vigia/rtsp/archive/merge-spans'
import { createLoginGate, type LoginGate } from '@vigia/rtsp/login-gate'
import { playbackTarget, type Span } from '@vigia/rtsp/playback-urls'
import { type ConnectionSlots, createProbeSlots, hostOf } from '../capture/connection-slots.ts'
import type { MinuteFile, MinuteFiles } from '../continuous/minute-files.ts'
import type { Handlers } from '../pedidos/handle-command.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { type RecorderClocks, recorderClock } from './recorder-clock.ts'

export interface ListOptions {
  readonly clocks: RecorderClocks
  readonly allowed: AllowedCidrs
  readonly slots: ConnectionSlots
  /** HTTP ports of recorders, in the order in which they are tried. */
  readonly httpPorts: readonly number[]
  /** Recordings of the edge itself. */
  readonly held: Pick<MinuteFiles, 'list'>
  /** null: unknown, or not active. */
  task(cameraId: number): CameraTask | null
  /** Whether the analysed stream of the camera works. */
  isOnline(cameraId: number): boolean
  /** Edge clock, in epoch ms. */
  now(): number
}

/** After a refused login the same credentials are not tried again for this long: recorders lock an address out. */
const REFUSED_MS = 30 * 60_000
/** A clock that could not be measured is measured again after this time, not for each list. */
const CLOCK_MS = 10 * 60_000
/** The list answers this long before the deadline of the command. */
const REST_MS = 1_000

const span = ({ fromMs, toMs }: Span) => ({ de: Math.round(fromMs), ate: Math.round(toMs) })

/** Lists what recorders and the edge hold. One list of a recorder at a time. */
export function createListHandler(options: ListOptions): Pick<Handlers, 'listar_gravacao'> {
  const { clocks, allowed, slots, httpPorts, held, now } = options
  const turns = createOwnSlots(createHostSlots(1))
  const gates = new Map<string, { readonly gate: LoginGate; readonly refusedAt: number | null }>()
  const measured = new Map<string, { readonly at: number; readonly relogio: RelogioGravador }>()

  const gateOf = (url: string): LoginGate => {
    const known = gates.get(url)
    const isOver = known?.refusedAt != null && now() - known.refusedAt > REFUSED_MS
    const gate = known && !isOver ? known.gate : createLoginGate({ trust: false })
    const refusedAt = known && !isOver ? known.refusedAt : null
    gates.set(url, { gate, refusedAt })
    return gate
  }
  const noteRefusal = (url: string, gate: LoginGate) => {
    if (gate.verdict === 'wrong' && gates.get(url)?.refusedAt === null) gates.set(url, { gate, refusedAt: now() })
  }

  async function clockOf({ fontes, fusoHorario }: CameraTask, signal: AbortSignal): Promise<RelogioGravador> {
    const host = hostOf(fontes.rtsp_url)
    const known = measured.get(host)
    if (known && now() - known.at < CLOCK_MS) return known.relogio
    const relogio = await clocks.measure(fontes.rtsp_url, fusoHorario, signal)
    if (!relogio.medido && !signal.aborted) measured.set(host, { at: now(), relogio })
    return relogio
  }

  async function listRecorder(
    task: CameraTask,
    wanted: Span,
    { signal, prazoMs }: { readonly signal: AbortSignal; readonly prazoMs: number },
  ): Promise<ListaGravacao['gravador']> {
    const url = task.fontes.rtsp_url
    if (playbackTarget(url) === null) return { estado: 'sem_lista', falha: 'sem_arquivo' }
    const begun = performance.now()
    const relogio = await clockOf(task, signal)
    const gate = gateOf(url)
    const recorded = await listRecorded(url, wanted, {
      allowed,
      slots: createProbeSlots(slots),
      ports: httpPorts,
      gate,
      signal,
      maxSpans: MAX_TRECHOS_GRAVACAO,
      clock: recorderClock(relogio),
      prazoMs: Math.max(1, Math.ceil(prazoMs - (performance.now() - begun))),
    })
    noteRefusal(url, gate)
    if (recorded.ok)
      return { estado: 'lista', trechos: recorded.spans.map(span), completa: recorded.isComplete, relogio }
    return { estado: 'sem_lista', falha: failureOf(recorded.falha, options.isOnline(task.id)) }
  }

  return {
    async listar_gravacao({ camera_id, inicio, fim }, { signal, prazoMs }) {
      const task = options.task(camera_id)
      if (!task) return { ok: false, falha: 'camera_desconhecida' }
      if (fim <= inicio || fim - inicio > MAX_LISTA_GRAVACAO_MS) return { ok: false, falha: 'interno' }
      const leftMs = Math.max(1, prazoMs - REST_MS)
      const within = { signal: AbortSignal.any([signal, AbortSignal.timeout(leftMs)]), prazoMs: leftMs }
      const turn = await turns.acquire({ host: hostOf(task.fontes.rtsp_url), use: 'http', signal: within.signal })
      try {
        // A recorder with a wrong clock may list the future.
        const wanted = { fromMs: inicio, toMs: Math.min(fim, now()) }
        const gravador: ListaGravacao['gravador'] = turn
          ? await listRecorder(task, wanted, within)
          : { estado: 'sem_lista', falha: 'sem_conexao_livre' }
        return { ok: true, resultado: { gravador, caixa: ownSpans(held.list(camera_id), wanted) } }
      } finally {
        turn?.release()
      }
    },
  }
}

/** Recordings of a start that never knew the time are joined with those of the same start only. */
function ownSpans(files: readonly MinuteFile[], wanted: Span): ListaGravacao['caixa'] {
  const starts = Map.groupBy(files, ({ uncertainMs }) => uncertainMs)
  const most = Math.floor(MAX_TRECHOS_GRAVACAO / Math.max(1, starts.size))
  const spans = [...starts].flatMap(([uncertainMs, some]) => {
    const parts = some.map(({ startMs, durationMs }) => ({ fromMs: startMs, toMs: startMs + durationMs }))
    const incerta = uncertainMs === null ? {} : { incerta_ms: uncertainMs }
    return mergeSpans(parts, wanted, most).map((one) => ({ ...span(one), ...incerta }))
  })
  return spans.toSorted((a, b) => a.de - b.de)
}

const known = {
  sem_arquivo: 'sem_arquivo',
  sem_lista: 'sem_lista',
  sem_permissao: 'sem_permissao',
  interno: 'interno',
  sem_conexao_livre: 'sem_conexao_livre',
  senha_recusada: 'senha_recusada',
} as const satisfies Partial<Record<ListFalha, FalhaListaGravacao>>

/** A login that opens the video, but not the list, has too few rights. */
function failureOf(falha: ListFalha, isOnline: boolean): FalhaListaGravacao {
  if (falha === 'senha_recusada' && isOnline) return 'sem_permissao'
  return falha in known ? known[falha as keyof typeof known] : 'inalcancavel'
}
