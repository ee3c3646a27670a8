/** Description of each answer header that a client may read. */
const answerHeaders = {
  'X-Request-Id': { description: 'Código desta requisição, o mesmo do registro do servidor.', type: 'string' },
  'X-Total-Count': { description: 'Quantos itens o filtro encontra ao todo.', type: 'integer' },
  Link: { description: 'Endereço da página seguinte, com `rel="next"`; falta na última.', type: 'string' },
  ETag: { description: 'Versão do conteúdo, para `If-None-Match`.', type: 'string' },
  'Accept-Ranges': { description: '`bytes`: o conteúdo pode ser pedido em partes (`Range`).', type: 'string' },
  'Content-Range': { description: 'Parte enviada e tamanho do todo.', type: 'string' },
  Location: { description: 'Para onde ir.', type: 'string' },
  'Set-Cookie': { description: 'Cookie `session` (HttpOnly), que um navegador guarda sozinho.', type: 'string' },
  'Retry-After': { description: 'Segundos até a próxima tentativa.', type: 'integer' },
  'WWW-Authenticate': { description: 'Esquema de credencial aceito.', type: 'string' },
} as const satisfies Record<string, { readonly description: string; readonly type: 'string' | 'integer' }>

export type AnswerHeader = keyof typeof answerHeaders

export const headerComponents = Object.fromEntries(
  Object.entries(answerHeaders).map(([name, { description, type }]) => [name, { description, schema: { type } }]),
)

/** References to those headers, as `headers` of an answer. */
export const headerRefs = (names: readonly AnswerHeader[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
