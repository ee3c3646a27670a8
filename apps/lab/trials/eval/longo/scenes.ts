import type { Linha, Zonas } from '@vigia/contracts/geometria'

export const perfis = ['parado', 'movimentado'] as const
export type Perfil = (typeof perfis)[number]

/** Seconds of a clip. */
interface Piece {
  readonly fromS: number
  readonly toS: number
}

/** A camera of the long run, built from one clip. */
export interface LongScene {
  readonly nome: string
  /** Path below the data folder. */
  readonly video: string
  readonly pieces: readonly Piece[]
  /**
   * `vaivem`: forwards and backwards, so that the loop has no cut; `volta`: forwards, the clip begins and ends with the
   * same empty scene.
   */
  readonly loop: 'vaivem' | 'volta'
  /**
   * `nada`: nothing true happens, or nothing true can happen in the zones. `rotulos`: true events are those of the
   * labels of the clip, which are complete.
   */
  readonly verdade: 'nada' | 'rotulos'
  readonly zonas?: Zonas
  /** Absent: across the middle, or that of the labels. */
  readonly linha?: Linha
}

const WHOLE: readonly Piece[] = [{ fromS: 0, toS: Number.POSITIVE_INFINITY }]
/** Every scene was checked by a person on sheets with one or two pictures a second. */
export const scenes: Readonly<Record<Perfil, readonly LongScene[]>> = {
  parado: [
    { nome: 'corredor', video: 'cctv/test_motion_video-1.mp4', pieces: WHOLE, loop: 'vaivem', verdade: 'nada' },
    {
      nome: 'corredor vazio',
      video: 'cctv/test_motion_video-2.mp4',
      pieces: [
        { fromS: 0, toS: 30 },
        { fromS: 60, toS: 85 },
      ],
      loop: 'vaivem',
      verdade: 'nada',
    },
    { nome: 'luz apagada', video: 'cctv/test_motion_video-3.mp4', pieces: WHOLE, loop: 'vaivem', verdade: 'nada' },
    {
      nome: 'sala vazia',
      video: 'cctv/one-by-one-person-detection.mp4',
      pieces: [
        { fromS: 0, toS: 5 },
        { fromS: 45.6, toS: 49.4 },
        { fromS: 70.6, toS: 73.6 },
        { fromS: 87.6, toS: 91.2 },
        { fromS: 136.6, toS: 139.2 },
      ],
      loop: 'vaivem',
      verdade: 'nada',
    },
    {
      nome: 'rua vazia',
      video: 'cctv/car-detection.mp4',
      pieces: [
        { fromS: 0, toS: 2.6 },
        { fromS: 9.2, toS: 13.4 },
        { fromS: 19.6, toS: 24.4 },
        { fromS: 28.6, toS: 30 },
      ],
      loop: 'vaivem',
      verdade: 'nada',
    },
  ],
  movimentado: [
    {
      nome: 'sala com visitas',
      video: 'cctv/one-by-one-person-detection.mp4',
      pieces: WHOLE,
      loop: 'volta',
      verdade: 'rotulos',
    },
    { nome: 'rua', video: 'cctv/car-detection.mp4', pieces: WHOLE, loop: 'volta', verdade: 'rotulos' },
    {
      nome: 'corredor com visita',
      video: 'cctv/test_motion_video-2.mp4',
      pieces: WHOLE,
      loop: 'volta',
      verdade: 'rotulos',
    },
    {
      nome: 'loja, zona sem ninguém',
      video: 'cctv/store-aisle-detection.mp4',
      pieces: WHOLE,
      loop: 'volta',
      verdade: 'nada',
      zonas: [[0, 0.3, 0.2, 0.3, 0.2, 1, 0, 1]],
      linha: [
        [0.1, 0.3],
        [0.1, 1],
      ],
    },
    {
      nome: 'obra, zona sem ninguém',
      video: 'cctv/worker-zone-detection.mp4',
      pieces: WHOLE,
      loop: 'volta',
      verdade: 'nada',
      zonas: [[0.7, 0.2, 1, 0.2, 1, 1, 0.7, 1]],
      linha: [
        [0.85, 0.2],
        [0.85, 1],
      ],
    },
    {
      nome: 'pátio, zona sem ninguém',
      video: 'cctv/person-bicycle-car-detection.mp4',
      pieces: WHOLE,
      loop: 'volta',
      verdade: 'nada',
      zonas: [[0.6, 0.5, 1, 0.5, 1, 1, 0.6, 1]],
      linha: [
        [0.8, 0.5],
        [0.8, 1],
      ],
    },
  ],
}
