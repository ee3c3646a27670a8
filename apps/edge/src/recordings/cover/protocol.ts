import type { Zonas } from '@vigia/contracts/geometria'
import type { FalhaGravacao } from '@vigia/contracts/gravacoes'
import type { TrackConfig } from '@vigia/video/mp4/codec-config'

/** Copies the video file `source` to `target`, with these masks. */
export interface CoverRequest {
  readonly source: string
  readonly target: string
  readonly mascaras: Zonas
}

export type CoverAnswer =
  | ({
      readonly ok: true
      /** Time of the first picture of the copy after that of the source. */
      readonly startMs: number
      readonly durationMs: number
    } & Pick<TrackConfig, 'codec' | 'codecs' | 'width' | 'height'>)
  /** `mascara`: this FFmpeg has no encoder. */
  | { readonly ok: false; readonly falha: FalhaGravacao }
