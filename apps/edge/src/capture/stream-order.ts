import type { Causa } from '@vigia/contracts/causa'
import type { Fontes } from '@vigia/contracts/edge-state'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import type { Fluxo } from '@vigia/contracts/transmissao'
import type { Mask } from '@vigia/video/mask'
import type { RingGop } from '@vigia/video/readers/ring'
import type { CameraSession } from './camera-session.ts'

/** A live stream that the main process sends to the cloud. */
export interface StreamOrder {
  /** Unique over all orders. */
  readonly id: string
  readonly cameraId: number
  readonly fluxo: Fluxo
  readonly partMs: number
  /** Opens no connection: has pictures only while the analysis reads this stream. It has no audio. */
  readonly onlyShared?: true
}

/** A camera as its live streams need it. */
export interface LiveCamera {
  readonly fontes: Fontes
  readonly session: Pick<CameraSession, 'choice' | 'attach' | 'status'>
  /** The stream has the audio of the camera. */
  readonly audio: boolean
  /** null: none. Only a copy of the analysed stream of a masked camera may leave the edge. */
  readonly mask: Mask | null
  /** The packets of the analysed stream since its last keyframe. */
  newestGroup(): RingGop | null
}

/** Reason why a stream ended by itself. */
export type StreamFailure = Extract<
  FalhaPedido,
  'camera_desconhecida' | 'fluxo_inexistente' | 'sem_codificador' | 'sem_conexao_livre' | 'senha_recusada' | 'interno'
>

/** End of a stream, with what its device answered; without `causa`: another reason. */
export interface StreamRefusal {
  readonly falha: StreamFailure
  readonly causa?: Causa
}
