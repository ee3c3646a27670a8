/**
 * The only error class of the product. A code is stable and machine-readable. `detalhe` is the Portuguese sentence for
 * a person. `message` and `cause` are for the log and never leave the process.
 */
export const errorCodes = [
  'nao_autenticado',
  'proibido',
  'nao_encontrado',
  'conflito',
  'removido',
  'validacao',
  'corpo_grande',
  'muitas_requisicoes',
  'indisponivel',
  'interno',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** One entry of the 422 body. `loc[0]` is `body`, `path`, `query` or `header`; array indexes are numbers. */
export interface ItemValidacao {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

export interface VigiaErrorOptions {
  /** Portuguese sentence for the user, with the remedy. */
  readonly detalhe: string
  /** Only for `validacao`: the items of the 422 body. */
  readonly itens?: readonly ItemValidacao[]
  /** Delay in seconds before a retry, for `muitas_requisicoes` and `indisponivel`. */
  readonly tentarEmS?: number
  /** Only for `nao_autenticado`: the password was right, the code of the second factor is missing or wrong. */
  readonly segundoFator?: boolean
  readonly cause?: unknown
}

export class VigiaError extends Error {
  override readonly name = 'VigiaError'
  readonly code: ErrorCode
  readonly detalhe: string
  readonly itens: readonly ItemValidacao[]
  readonly tentarEmS: number | undefined
  readonly segundoFator: boolean

  constructor(code: ErrorCode, options: VigiaErrorOptions) {
    super(`${code}: ${options.detalhe}`, { cause: options.cause })
    this.code = code
    this.detalhe = options.detalhe
    this.itens = options.itens ?? []
    this.tentarEmS = options.tentarEmS
    this.segundoFator = options.segundoFator ?? false
  }
}

/** Creates a 422 for one field. */
export const invalid = (loc: ItemValidacao['loc'], msg: string, type = 'value_error'): VigiaError =>
  new VigiaError('validacao', { detalhe: msg, itens: [{ loc, msg, type }] })
