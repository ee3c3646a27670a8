import type { EpiSight } from './epi.ts'
import type { FireEvidence } from './fogo.ts'
import type { PictureHealth } from './imagem.ts'
import type { ObjectsAround } from './objetos.ts'

/** What each task can say of one track, or of the picture as a whole. A new task is one more key here. */
export interface Findings {
  readonly objetos: ObjectsAround
  readonly epi: EpiSight
  readonly fogo: FireEvidence
  readonly imagem: PictureHealth
}

/** The findings of one frame, by task. No key: the task did not run on this frame or says nothing of this track. */
export type Evidence = { readonly [Tarefa in keyof Findings]?: Findings[Tarefa] | undefined }
