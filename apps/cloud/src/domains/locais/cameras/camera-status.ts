import { type CameraFailure, cameraFailures, cameraFailureText } from '@vigia/contracts/camera-failures'
import { deadSubText, fewConnectionsText, flappingText } from '@vigia/contracts/camera-remarks'
import { ONLINE_MS, type StatusCamera } from '@vigia/contracts/cameras'
import { causaSchema } from '@vigia/contracts/causa'
import { ia, type NomeIa, nomesIas } from '@vigia/contracts/ias'
import { withPlaca } from '@vigia/contracts/plates-ia'
import type { CameraRow } from '../../../db/rows.ts'
import { masksIgnored } from './view-mascaras.ts'

/** Columns of the camera that its status depends on. */
type Seen = Pick<
  CameraRow,
  | 'ativa'
  | 'edge_id'
  | 'eventos_habilitados_json'
  | 'ias_indisponiveis_json'
  | 'ias_sem_suporte_json'
  | 'linha_json'
  | 'mascaras_json'
  | 'relato_complemento'
  | 'relato_conexoes'
  | 'relato_estado'
  | 'relato_mascarada'
  | 'relato_motivo'
  | 'relato_periodo_s'
  | 'relato_secundario_json'
  | 'ultimo_frame_em'
>

/** Columns of its edge that the status depends on. */
export interface SeenEdge {
  readonly presente: 0 | 1
  readonly ativado_em: number | null
  /** Whether its configuration is too large for the link, so that changes do not reach it. */
  readonly configuracaoGrande?: boolean
}

export interface CameraStatus {
  readonly status: StatusCamera
  /** Portuguese reason why it is offline or only partly analysed. */
  readonly status_detalhe: string | null
}

/**
 * Returns the status of a camera at `now` (epoch ms). `online`: the edge is online and reported a frame decoded within
 * the last 15 s.
 */
export function cameraStatus(camera: Seen, edge: SeenEdge | null, now: number): CameraStatus {
  if (!camera.ativa) return { status: 'desativada', status_detalhe: 'Câmera desativada.' }
  const fresh = camera.ultimo_frame_em !== null && now - camera.ultimo_frame_em <= ONLINE_MS
  if (fresh && edge?.presente) {
    const remarks = [
      masksUnknown(camera),
      interruption(camera),
      deadSub(camera),
      flappingText(camera.relato_periodo_s),
      fewConnectionsText(camera.relato_conexoes),
      unsupported(camera),
      unavailable(camera),
      lacksLine(camera),
      oversized(edge),
    ].filter((remark) => remark !== null)
    return { status: 'online', status_detalhe: remarks.join(' ') || null }
  }
  const reason = offlineReason(camera, edge)
  const complement = reason === camera.relato_motivo ? camera.relato_complemento : null
  const remarks = [cameraFailureText(reason, complement), flappingText(camera.relato_periodo_s), oversized(edge)]
  const sentences = remarks.filter((text) => text !== null)
  return { status: 'offline', status_detalhe: sentences.join(' ') }
}

const masksUnknown = (camera: Seen): string | null =>
  masksIgnored(camera) ? 'A caixa não conhece máscaras e mostra a imagem inteira: atualize a caixa.' : null

const oversized = (edge: SeenEdge | null): string | null =>
  edge?.configuracaoGrande
    ? 'As mudanças não chegam à caixa, porque a configuração dela está grande demais: ' +
      'simplifique zonas ou remova câmeras, ou avise o operador.'
    : null

/** Returns the reason that applies if the camera is offline. */
export function offlineReason(camera: Seen, edge: SeenEdge | null): CameraFailure {
  // An edge that was never activated has a reason of its own: the missing activation.
  if (edge === null || edge.ativado_em === null) return 'sem_edge'
  if (!edge.presente) return 'edge_offline'
  switch (camera.relato_estado) {
    case 'falha':
      return reported(camera) ?? 'erro_desconhecido'
    case 'conectando':
      return reported(camera) ?? 'conectando'
    case 'online':
      return reported(camera) ?? 'video_parado'
    default:
      return 'aguardando_edge'
  }
}

/** Reason of a broken stream while the last frame is still recent enough for `online`. */
function interruption(camera: Seen): string | null {
  const code = reported(camera)
  return code && code !== 'conectando' ? cameraFailureText(code, camera.relato_complemento) : null
}

/** The reported failure of the sub stream. */
function deadSub({ relato_secundario_json: json }: Seen): string | null {
  const { data } = causaSchema.safeParse(JSON.parse(json ?? 'null'))
  return data ? deadSubText(data) : null
}

/** The reason that the edge reported; undefined: none, or one of a newer edge version. */
const reported = ({ relato_motivo }: Seen): CameraFailure | undefined =>
  cameraFailures.find((code) => code === relato_motivo)

/**
 * Names the enabled IAs that the edge's software cannot run. Each edge lists plates here, because they are no rule of
 * an IA: its task is `modo_b`.
 */
const unsupported = (camera: Seen): string | null =>
  remark(
    camera,
    JSON.stringify(withPlaca(JSON.parse(camera.ias_sem_suporte_json), false)),
    (titles) => `Ainda não analisado por esta caixa: ${titles}.`,
  )

/** Names the enabled IAs that lack a usable model on the edge. */
const unavailable = (camera: Seen): string | null =>
  remark(
    camera,
    camera.ias_indisponiveis_json,
    (titles) =>
      `Sem análise, porque o modelo não pôde ser usado nesta caixa: ${titles}. Veja o registro (log) da caixa.`,
  )

/** Names the enabled IAs that need a line. Without a line these IAs raise no event, and no other text reports this. */
const lacksLine = (camera: Seen): string | null =>
  camera.linha_json === '[]'
    ? remark(
        camera,
        JSON.stringify(nomesIas.filter((nome) => ia(nome).geometria === 'linha')),
        (titles) => `Sem análise, porque falta a linha: ${titles}. Defina a linha da câmera.`,
      )
    : null

function remark({ eventos_habilitados_json }: Seen, listed: string, say: (titles: string) => string): string | null {
  const enabled = JSON.parse(eventos_habilitados_json) as NomeIa[]
  const lacking = (JSON.parse(listed) as NomeIa[]).filter((nome) => enabled.includes(nome))
  return lacking.length === 0 ? null : say(lacking.map((nome) => ia(nome).titulo).join(', '))
}
