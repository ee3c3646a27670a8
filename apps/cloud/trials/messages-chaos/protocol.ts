/** Moments at which the program ends itself; `qualquer`: the parent ends it at a random time. */
export const killPoints = ['commit', 'veredito', 'agrupamento', 'entrega', 'qualquer'] as const
export type KillPoint = (typeof killPoints)[number]

/** A batch of an edge. */
export interface FromParent {
  readonly id: number
  readonly edgeId: number
  /** Base64. */
  readonly payload: string
}

/** The program has stored a batch; `id` 0: it runs. */
export interface FromProgram {
  readonly id: number
  readonly ok: boolean
}
