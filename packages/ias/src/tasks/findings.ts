import type { EpiEvidence } from './epi.ts'
import type { FireEvidence } from './fogo.ts'
import type { PictureHealth } from './imagem.ts'
import type { ObjectsAround } from './objetos.ts'
import type { StillObservation } from './parados.ts'

/** Evidence type of each task, for one track or for the whole picture. A new task adds a key. */
export interface Findings {
  readonly objetos: ObjectsAround
  readonly epi: EpiEvidence
  readonly fogo: FireEvidence
  readonly imagem: PictureHealth
  readonly parados: StillObservation
}

/** The evidence of one frame, by task. No key: the task did not run on this frame or has no evidence for this track. */
export type Evidence = { readonly [Tarefa in keyof Findings]?: Findings[Tarefa] | undefined }
