import { z } from 'zod'
import { type Efeito, efeitos } from './efeitos.ts'
import { codigoSchema } from './segundo-fator.ts'

const campo = (maximo: number) => z.string().max(maximo).optional()

/** The authorization request in the query and in the form (RFC 6749 section 4.1.1, RFC 7636, RFC 8707). */
const pedido = {
  client_id: campo(200).describe('De `POST /oauth/register`, ou o endereço https do documento do programa.'),
  redirect_uri: campo(2000).describe('Uma das registradas.'),
  response_type: campo(200).describe('`code`, também quando falta.'),
  code_challenge: campo(200).describe('RFC 7636: 43 caracteres base64url.'),
  code_challenge_method: campo(200).describe('`S256`, também quando falta.'),
  state: campo(8000).describe('Volta como veio.'),
  scope: campo(1000).describe('`mcp` (o que o login pode) ou `mcp:leitura` (só ver). `mcp` quando falta.'),
  resource: campo(2000).describe('RFC 8707: o endereço de `/mcp`, também quando falta.'),
}

/**
 * Query of the authorization page. Only a field that is too long is a 422; the page or the redirect reports other
 * errors.
 */
export const autorizacaoQuerySchema = z.object({
  ...pedido,
  etapa: campo(200).describe('`entrada`: pede usuário e senha também a quem já entrou no painel.'),
})

/**
 * The form that the API documents. `etapa` exists only in the page's own form: it requests the consent page instead of
 * the code.
 */
export const autorizacaoFormSchema = z
  .object({
    ...pedido,
    username: z.string().min(1).max(200),
    password: z.string().min(1).max(1024),
    codigo: codigoSchema.optional().describe('Do segundo fator, onde o login tem um.'),
    client_id: z
      .string()
      .min(1)
      .max(200)
      .describe('De `POST /oauth/register`, ou o endereço https do documento do programa.'),
    redirect_uri: z.string().min(1).max(2000).describe('Uma das registradas.'),
    code_challenge: z.string().min(1).max(200).describe('RFC 7636: 43 caracteres base64url.'),
    etapa: z.enum(['', 'consentimento']).optional().describe('`consentimento`: a página pergunta antes de autorizar.'),
  })
  .meta({
    id: 'AutorizacaoForm',
    examples: [
      {
        username: 'ana.souza',
        password: 'uma frase bem comprida',
        client_id: '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11',
        redirect_uri: 'https://exemplo.com.br/volta',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        state: 'xyz',
      },
    ],
  })
export type AutorizacaoForm = z.infer<typeof autorizacaoFormSchema>

/** The second page of the sign-in: the code of the second factor with the repeated request. */
export const autorizacaoCodigoFormSchema = z
  .object({
    ...pedido,
    bilhete: z.string().min(1).max(1000).describe('O da página.'),
    codigo: codigoSchema.min(1),
    etapa: z.enum(['', 'consentimento']).optional().describe('Como no primeiro formulário.'),
  })
  .meta({
    id: 'AutorizacaoCodigoForm',
    examples: [
      { client_id: '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11', bilhete: 'v1.0a1b2c3d.Zt4G8oWn1y0c8b5m', codigo: '123456' },
    ],
  })
export type AutorizacaoCodigoForm = z.infer<typeof autorizacaoCodigoFormSchema>

const marcado = z.literal('sim').optional().describe('Uma caixa da página: permite este efeito; ver `efeitos`.')
/** One box for each effect: a form with the same field twice is refused. */
const marcados = Object.fromEntries(efeitos.map((efeito) => [efeito, marcado])) as Record<Efeito, typeof marcado>

/** The form of the consent page. */
export const decisaoFormSchema = z
  .object({
    bilhete: z.string().min(1).max(200).describe('O da página: vale uma vez, por 10 minutos.'),
    decisao: z.enum(['autorizar', 'recusar']),
    acesso: z.enum(['mcp', 'mcp:leitura']).optional().describe('Estreita o pedido; nunca o alarga.'),
    alcance: z
      .string()
      .max(20)
      .regex(/^(login|[1-9]\d*)$/)
      .optional()
      .describe('Onde o agente age: o id de uma Empresa do alcance do login, ou `login`, tudo o que ele alcança.'),
    ...marcados,
  })
  .meta({
    id: 'DecisaoForm',
    examples: [{ bilhete: 'Zt4G8oWn1y0c8b5m3p7Qx2v6k9r4s1d0f8h3j5l7a2e', decisao: 'autorizar' }],
  })
export type DecisaoForm = z.infer<typeof decisaoFormSchema>
