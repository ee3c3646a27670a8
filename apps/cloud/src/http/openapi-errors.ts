import { erroInternoSchema, erroSchema, erroValidacaoSchema } from '@vigia/contracts/error-bodies'
import type { z } from 'zod'
import type { ErrorStatus } from './errors.ts'
import { type AnswerHeader, headerRefs } from './openapi-headers.ts'

interface Refusal {
  /** Name below `components/responses`. */
  readonly nome: string
  readonly descricao: string
  readonly corpo: z.ZodType
  readonly exemplo: object
  readonly cabecalhos?: readonly AnswerHeader[]
}

/** Description and example of each error status, for all routes. */
const refusals: Readonly<Record<ErrorStatus | 400 | 500, Refusal>> = {
  400: {
    nome: 'Malformada',
    descricao:
      'Cabeçalho `Host` ou caminho inválido, em qualquer endereço; ou um pedido de WebSocket onde não há um. ' +
      '`id` é o `X-Request-Id`.',
    corpo: erroInternoSchema,
    exemplo: {
      detail: 'A requisição não tem um endereço válido: confira o cabeçalho Host.',
      id: '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11',
    },
  },
  401: {
    nome: 'NaoAutenticado',
    descricao: 'Sem credencial, ou com uma desconhecida, vencida ou encerrada.',
    corpo: erroSchema,
    exemplo: { detail: 'Entre para continuar: sessão ausente, inválida ou expirada.' },
    cabecalhos: ['WWW-Authenticate'],
  },
  403: {
    nome: 'Proibido',
    descricao:
      'O papel do login não permite, o cookie veio de uma página de outro site, ou uma chave pede o que chaves ' +
      'não fazem.',
    corpo: erroSchema,
    exemplo: { detail: 'Seu login é só de leitura. Peça ao administrador da conta.' },
  },
  404: {
    nome: 'NaoEncontrado',
    descricao: 'Não existe, ou está fora do escopo do login.',
    corpo: erroSchema,
    exemplo: { detail: 'Câmera não encontrada.' },
  },
  409: {
    nome: 'Conflito',
    descricao: 'Contraria o que já está cadastrado.',
    corpo: erroSchema,
    exemplo: { detail: 'Este nome de usuário já existe. Escolha outro.' },
  },
  410: {
    nome: 'Removido',
    descricao: 'Existiu, e foi apagado ou venceu.',
    corpo: erroSchema,
    exemplo: { detail: 'Este endereço de imagem não vale mais. Abra o evento no painel.' },
  },
  413: {
    nome: 'CorpoGrande',
    descricao: 'O conteúdo enviado passa do limite.',
    corpo: erroSchema,
    exemplo: { detail: 'O conteúdo enviado passa do limite de 1048576 bytes.' },
  },
  422: {
    nome: 'Invalido',
    descricao: 'Corpo, caminho ou busca inválidos: um item por problema.',
    corpo: erroValidacaoSchema,
    exemplo: { detail: [{ loc: ['body', 'nome'], msg: 'Campo obrigatório', type: 'missing' }] },
  },
  429: {
    nome: 'MuitasRequisicoes',
    descricao: 'Tentativas demais. Espere e tente de novo.',
    corpo: erroSchema,
    exemplo: { detail: 'Tentativas demais. Espere um minuto e tente de novo.' },
    cabecalhos: ['Retry-After'],
  },
  500: {
    nome: 'ErroInterno',
    descricao: 'Falha do serviço.',
    corpo: erroInternoSchema,
    exemplo: { detail: 'Erro interno.', id: '6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11' },
  },
  503: {
    nome: 'Indisponivel',
    descricao:
      'O equipamento, a caixa ou o banco de dados não responde agora, ou o disco do servidor está cheio e nada foi ' +
      'mudado. ' +
      '`Retry-After` vem quando se sabe quanto esperar.',
    corpo: erroSchema,
    exemplo: { detail: 'A caixa desta Empresa não está conectada.' },
    cabecalhos: ['Retry-After'],
  },
}

/** RFC 6749 section 5.2 uses 400 for most input errors that are a 422 elsewhere. */
const malformed: Pick<Refusal, 'descricao' | 'cabecalhos'> = { descricao: 'Recusado; `error` diz por quê.' }

/** The error answers as `components/responses`; `schemaOf` adds a schema to the document. */
export const responseComponents = (schemaOf: (schema: z.ZodType) => object) =>
  Object.fromEntries(
    Object.values(refusals).map(({ nome, descricao, corpo, exemplo, cabecalhos = [] }) => [
      nome,
      {
        description: descricao,
        headers: headerRefs(['X-Request-Id', ...cabecalhos]),
        content: { 'application/json': { schema: schemaOf(corpo), example: exemplo } },
      },
    ]),
  )

export const refusalRef = (status: ErrorStatus | 400 | 500) => ({
  $ref: `#/components/responses/${refusals[status].nome}`,
})

/** The same error answer of an OAuth endpoint. @param page further media types of the answer */
export function oauthRefusal(status: ErrorStatus | 400 | 500, schema: object, page: object = {}) {
  const { descricao, cabecalhos = [] } = status === 400 ? malformed : refusals[status]
  return {
    description: descricao,
    headers: headerRefs(['X-Request-Id', ...cabecalhos]),
    content: { 'application/json': { schema }, ...page },
  }
}
