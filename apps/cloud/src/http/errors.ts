import { type ErrorCode, type ItemValidacao, VigiaError } from '@vigia/contracts/errors'
import { type UnwritableDisk, unwritableDisk } from '@vigia/runtime/disk-failure'
import { isDatabaseAway, isStatementLate } from '../db/postgres-failures.ts'

/** HTTP status of each error code. */
const statuses = {
  nao_autenticado: 401,
  proibido: 403,
  nao_encontrado: 404,
  conflito: 409,
  removido: 410,
  corpo_grande: 413,
  validacao: 422,
  muitas_requisicoes: 429,
  interno: 500,
  indisponivel: 503,
} as const satisfies Record<ErrorCode, number>

/** Statuses that a route may declare. 500 is a server fault, possible on every route. */
export type ErrorStatus = Exclude<(typeof statuses)[ErrorCode], 500>

export interface ErrorAnswer {
  readonly status: (typeof statuses)[ErrorCode]
  readonly body: {
    readonly detail: string | readonly ItemValidacao[]
    readonly id?: string
    readonly segundo_fator?: true
  }
  readonly headers: Readonly<Record<string, string>>
}

const unwritable: Readonly<Record<UnwritableDisk, string>> = {
  cheio:
    'Disco cheio: o servidor não tem espaço para gravar, e nada foi mudado. As consultas continuam. ' +
    'Avise quem opera o servidor e tente de novo quando houver espaço.',
  somente_leitura:
    'O disco do servidor está somente para leitura, e nada foi mudado. As consultas continuam. ' +
    'Avise quem opera o servidor e tente de novo depois do reparo.',
}
const RETRY_S = 30
const DATABASE_AWAY = {
  detalhe: 'O banco de dados não responde agora. Tente de novo em alguns segundos.',
  tentarEmS: 3,
} as const

const STATEMENT_LATE = {
  detalhe: 'Esta consulta leva tempo demais. Escolha um período menor ou menos câmeras e tente de novo.',
  tentarEmS: 5,
} as const

/**
 * `error` as the caller receives it: a failed write to a full or read-only disk and a database that does not answer
 * become `indisponivel`.
 */
export function asRefusal(error: unknown): unknown {
  if (error instanceof VigiaError) return error
  if (isDatabaseAway(error)) return new VigiaError('indisponivel', { ...DATABASE_AWAY, cause: error })
  if (isStatementLate(error)) return new VigiaError('indisponivel', { ...STATEMENT_LATE, cause: error })
  const kind = unwritableDisk(error)
  if (kind === null) return error
  return new VigiaError('indisponivel', { detalhe: unwritable[kind], tentarEmS: RETRY_S, cause: error })
}

/**
 * The answer to `error`. Errors other than VigiaError are server faults: 500 with the request id and without the
 * message, which may hold internal data.
 */
export function errorAnswer(thrown: unknown, requestId: string): ErrorAnswer {
  const error = asRefusal(thrown)
  if (!(error instanceof VigiaError) || error.code === 'interno')
    return {
      status: 500,
      body: {
        detail: 'Erro interno. Tente outra vez e, se continuar, informe o código desta resposta.',
        id: requestId,
      },
      headers: {},
    }
  const detail = error.code === 'validacao' ? error.itens : error.detalhe
  const headers: Record<string, string> = {}
  if (error.code === 'nao_autenticado') headers['www-authenticate'] = 'Bearer'
  if (error.tentarEmS !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(error.tentarEmS)))
  return {
    status: statuses[error.code],
    body: { detail, ...(error.segundoFator && { segundo_fator: true as const }) },
    headers,
  }
}
