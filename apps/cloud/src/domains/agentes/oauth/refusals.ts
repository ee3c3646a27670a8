import { oauthError } from '../../../http/oauth-errors.ts'

/**
 * Sentence of each error. All errors of a code or refresh token share one, so that it does not reveal a correct part of
 * a guess.
 */
const sentences = {
  invalid_client:
    'Este programa não está registrado aqui, ou mandou um segredo. Registre-o de novo em /oauth/register, sem segredo.',
  invalid_grant: 'O código ou token de renovação não vale para este pedido. Comece a autorização de novo.',
  invalid_target: 'O recurso pedido não é o que foi autorizado.',
  invalid_scope: 'O escopo pedido passa do que foi autorizado.',
  unsupported_grant_type: 'Use authorization_code ou refresh_token.',
  invalid_redirect_uri:
    'Use endereços https, http do próprio computador (localhost) ou o esquema próprio de um aplicativo, com ' +
    'ponto (com.exemplo.agente:/volta), sem fragmento, usuário, curinga nem atalhos de caminho.',
} as const

export interface OauthRefusal {
  readonly recusa: keyof typeof sentences
}

/** The error answer (RFC 6749 section 5.2). An unknown client gets 401, so that it registers again. */
export function refusalAnswer({ recusa }: OauthRefusal) {
  const body = oauthError(recusa, sentences[recusa])
  return recusa === 'invalid_client' ? ({ status: 401, body } as const) : ({ status: 400, body } as const)
}
