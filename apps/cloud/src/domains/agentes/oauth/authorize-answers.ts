import { VigiaError } from '@vigia/contracts/errors'
import { errorAnswer } from '../../../http/errors.ts'
import { pageAnswer } from '../../../http/pages/page.ts'
import { answerUri } from './answer-uri.ts'
import type { CheckedRequest } from './authorization-request.ts'
import type { AuthorizationRequest } from './issue-code.ts'
import { destinationOf } from './pages/redirect-destination.ts'
import { refusalPage } from './pages/refusal-page.ts'

type Refused = Extract<CheckedRequest, { tipo: 'recusado' }>

/** 303: the browser follows with a GET and does not repost a password or ticket (RFC 9700 section 4.12). */
export const redirect = (location: string): Response => new Response(null, { status: 303, headers: { location } })

/** Redirects to the program with the error of its request. */
export const sendRefusal = (refused: Refused, base: string): Response => redirect(refusalUri(refused, base))

/**
 * Shows the error on a page, for a program with a web address. Registration is open, so an automatic redirect would be
 * an open redirector (RFC 9700 section 4.11.2). The page shows the destination as a link.
 */
export const showRefusal = (refused: Refused, base: string): Response =>
  pageAnswer(
    refusalPage(
      `O programa fez um pedido que não é válido (${refused.erro}). Comece de novo nele; se continuar, avise ` +
        'quem o fez.',
      { href: refusalUri(refused, base), destino: destinationOf(refused.redirectUri) },
    ),
    400,
  )

const refusalUri = ({ redirectUri, erro, descricao, state }: Refused, base: string): string =>
  answerUri(redirectUri, { error: erro, error_description: descricao }, state, base)

const FULL = {
  error: 'access_denied',
  error_description: 'The account of this login has reached its limit of agents.',
} as const

const fullUri = ({ redirectUri, state }: AuthorizationRequest, base: string): string =>
  answerUri(redirectUri, FULL, state, base)

/** Redirects to the program with an error: the account has reached its limit of agents. */
export const sendFull = (pedido: AuthorizationRequest, base: string): Response => redirect(fullUri(pedido, base))

/** Shows the same error on a page, because the person can remove another agent. @param frase sentence with the limit */
export const showFull = (pedido: AuthorizationRequest, frase: string, base: string): Response =>
  pageAnswer(refusalPage(frase, { href: fullUri(pedido, base), destino: destinationOf(pedido.redirectUri) }), 409)

/** Page without a link, because the address is not registered. */
export const unknownClient = (frase?: string): Response =>
  pageAnswer(
    refusalPage(
      frase ??
        'O programa não está registrado aqui, ou quer a resposta em um endereço que não registrou. Remova a ' +
          'conexão no programa e conecte outra vez.',
    ),
    400,
  )

export const endedTicket = (): Response =>
  pageAnswer(refusalPage('Este pedido já foi respondido ou passou do tempo. Volte ao programa e comece de novo.'), 400)

/** Shows an expected error on a page, for browsers. @throws internal errors */
export function refusalOnPage(error: unknown): Response {
  if (!(error instanceof VigiaError) || error.code === 'interno') throw error
  const { status, headers } = errorAnswer(error, '')
  return pageAnswer(refusalPage(error.detalhe), status, headers)
}
