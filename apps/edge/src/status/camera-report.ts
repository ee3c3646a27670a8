import type { CameraFailure } from '@vigia/contracts/camera-failures'
import { ONLINE_MS } from '@vigia/contracts/cameras'
import type { CameraRelatada } from '@vigia/contracts/edge-state'
import { isSupported } from '@vigia/ias/analysis'
import type { ModelState } from '@vigia/vision/model-runner'
import type { StreamStatus } from '../capture/model.ts'
import { unavailable } from '../capture/needed-models.ts'
import type { ConfiguredCamera } from '../link/desired.ts'

const CONNECTING: ReadonlySet<CameraFailure> = new Set(['conectando', 'aguardando_quadro_chave'])

/** Reasons that the cloud must announce, each with the one for an earlier cloud. */
const LATER_REASONS: Partial<Record<CameraFailure, CameraFailure>> = {
  video_grande_demais: 'erro_desconhecido',
  aguardando_quadro_chave: 'conectando',
  sem_quadro_chave: 'sem_quadros',
  transporte_recusado: 'erro_desconhecido',
  redirecionado: 'nao_encontrado',
  video_danificado: 'dados_invalidos',
  sem_pacote_video: 'erro_desconhecido',
}

const known = (motivo: CameraFailure | null, recursos: readonly string[]): CameraFailure | null =>
  motivo === null || recursos.includes(motivo) ? motivo : (LATER_REASONS[motivo] ?? motivo)

/**
 * The state of one camera for a report to the cloud. `seen`: last message of its capture process, `ageMs` ago.
 * `recursos` of the cloud: an earlier one would refuse a report with a reason that it does not know. `hasVideo`: the
 * package that decodes video is installed.
 */
export function reportCamera(
  { desejada, task }: ConfiguredCamera,
  seen: { readonly stream: StreamStatus; readonly models: readonly ModelState[]; readonly ageMs: number } | null,
  recursos: readonly string[],
  hasVideo: boolean,
): CameraRelatada {
  const ias = desejada.analises.map(({ ia }) => ia)
  const base = {
    id: desejada.id,
    complemento: null,
    ultimo_frame_ha_ms: null,
    codec: null,
    resolucao: null,
    fps: null,
    quadro_chave_ms: null,
    quadro_chave_ha_ms: null,
    taxa_kbps: null,
    mascarada: (desejada.mascaras ?? []).length > 0,
    audio: desejada.audio === true ? (seen?.stream.audio ?? ('aguardando' as const)) : ('desligado' as const),
    ias_sem_suporte: ias.filter((ia) => !isSupported(ia)),
    ias_indisponiveis: seen ? unavailable(ias.filter(isSupported), seen.models) : [],
  }
  if (!desejada.ativa) return { ...base, estado: 'desativada', motivo: null }
  if (!task) return { ...base, estado: 'falha', motivo: 'url_ilegivel' }
  const withoutVideo = { ...base, estado: 'falha', motivo: known('sem_pacote_video', recursos) } as const
  if (!seen) return hasVideo ? { ...base, estado: 'conectando', motivo: 'conectando' } : withoutVideo
  const { stream, ageMs } = seen
  const lastFrameMs = stream.lastFrameAgeMs === null ? null : Math.round(stream.lastFrameAgeMs + ageMs)
  const online = stream.online && lastFrameMs !== null && lastFrameMs <= ONLINE_MS
  // A process that has loaded the package goes on without its file.
  if (!online && !hasVideo) return withoutVideo
  // An online camera also has a reason while its connection is broken, so that repeated interruptions are visible.
  const motivo = stream.failure ?? (online ? null : 'video_parado')
  return {
    ...base,
    estado: online ? 'online' : motivo !== null && CONNECTING.has(motivo) ? 'conectando' : 'falha',
    motivo: known(motivo, recursos),
    complemento: stream.detail,
    ultimo_frame_ha_ms: lastFrameMs,
    codec: stream.codec,
    resolucao: stream.resolution,
    fps: stream.fps,
    quadro_chave_ms: stream.keyframeIntervalMs,
    ...(stream.leitura && { leitura: stream.leitura }),
    ...(stream.perdas && { perdas: stream.perdas }),
    ...(stream.choice === 'principal' &&
      stream.subFailure && {
        secundario_falhou: { motivo: stream.subFailure.failure, complemento: stream.subFailure.detail },
      }),
    ...(stream.periodS != null && { cai_a_cada_s: stream.periodS }),
    quadro_chave_ha_ms: stream.keyframeAgeMs && Math.round(stream.keyframeAgeMs + ageMs),
    taxa_kbps: stream.bitrateKbps,
  }
}
