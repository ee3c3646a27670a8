import type { Tool } from '../tool.ts'

type Anotacoes = Tool['anotacoes']

/** Looks, and changes nothing. */
export const LEITURA: Anotacoes = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** Looks at what stands outside this installation: a box, a camera, a recorder. */
export const LEITURA_FORA: Anotacoes = { ...LEITURA, openWorldHint: true }

/** Knocks at a device with a password: nothing is stored, but who owns the device may want to be asked. */
export const SONDAGEM: Anotacoes = { ...LEITURA_FORA, readOnlyHint: false }

/** Adds something; called twice, it adds two. */
export const CRIACAO: Anotacoes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

/** Writes over what was there; called twice with the same, it is as if called once. */
export const ALTERACAO: Anotacoes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
}
