import type { Tool } from '../tool.ts'

type Anotacoes = Tool['anotacoes']

/** Reads without changes. */
export const LEITURA: Anotacoes = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Reads from systems outside this installation: an edge, a camera, a gravador. */
export const LEITURA_FORA: Anotacoes = { ...LEITURA, openWorldHint: true }

/** Logs in to a device with a password. Stores nothing, but clients should ask for confirmation. */
export const SONDAGEM: Anotacoes = { ...LEITURA_FORA, readOnlyHint: false }

/** Creates a record; a second call creates another one. */
export const CRIACAO: Anotacoes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

/** Overwrites values; repeated calls with the same values have no further effect. */
export const ALTERACAO: Anotacoes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
}
