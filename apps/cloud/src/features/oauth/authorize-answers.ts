import { VigiaError } from '@vigia/contracts/errors'
import { errorAnswer } from '../../http/errors.ts'
import { pageAnswer } from '../../http/pages/page.ts'
import { answerUri } from './answer-uri.ts'
import type { CheckedRequest } from './authorization-request.ts'
import type { AuthorizationRequest } from './issue-code.ts'
import { destinationOf } from './pages/redirect-destination.ts'
import { refusalPage } from './pages/refusal-page.ts'

type Refused = Extract<CheckedRequest, { tipo: 'recusado' }>

/** 303: what follows is a GET, and no password or ticket is posted on (RFC 9700 section 4.12). */
export const redirect = (location: string): Response => new Response(null, { status: 303, headers: { location } })

/** Tells the program what was wrong with its request, where it waits. */
export const sendRefusal = (refused: Refused, base: string): Response => redirect(refusalUri(refused, base))

/**
 * Shows it on the page instead, for a program that waits somewhere on the web. Anybody may register one there and hand out
 * our address, which must not lead people on to it unasked (RFC 9700 section 4.11.2): they see where it leads, and choose.
 */
export const showRefusal = (refused: Refused, base: string): Response =>
  pageAnswer(
    refusalPage(
      `O programa fez um pedido que não é válido (${refused.erro}). Comece de novo nele; se continuar, avise quem o fez.`,
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

/** Answers the program whose login belongs to an account without a place for another agent. */
export const sendFull = (pedido: AuthorizationRequest, base: string): Response => redirect(fullUri(pedido, base))

/** Shows it to the person first, who can do something about it. @param frase names the limit */
export const showFull = (pedido: AuthorizationRequest, frase: string, base: string): Response =>
  pageAnswer(refusalPage(frase, { href: fullUri(pedido, base), destino: destinationOf(pedido.redirectUri) }), 409)

/** Nothing is sent to an address that no known program has registered. */
export const unknownClient = (): Response =>
  pageAnswer(
    refusalPage(
      'O programa não está registrado aqui, ou quer a resposta em um endereço que não registrou. Remova a conexão no programa e conecte outra vez.',
    ),
    400,
  )

export const endedTicket = (): Response =>
  pageAnswer(refusalPage('Este pedido já foi respondido ou passou do tempo. Volte ao programa e comece de novo.'), 400)

/** Puts a refusal on a page, for whoever came by a browser. @throws what is a fault of ours. */
export function refusalOnPage(error: unknown): Response {
  if (!(error instanceof VigiaError) || error.code === 'interno') throw error
  const { status, headers } = errorAnswer(error, '')
  return pageAnswer(refusalPage(error.detalhe), status, headers)
}
