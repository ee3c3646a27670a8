import { erroOauthSchema } from '@vigia/contracts/oauth'
import { z } from 'zod'
import { declaredErrors } from './declared-errors.ts'
import { keyMayCall } from './effects.ts'
import { oauthRefusal, refusalRef, responseComponents } from './openapi-errors.ts'
import { type AnswerHeader, headerComponents, headerRefs } from './openapi-headers.ts'
import { createSchemaCollector } from './openapi-schemas.ts'
import { tagList, tagOf } from './openapi-tags.ts'
import type { Resposta, Route } from './route.ts'

/** Version of the interface, independent of the program's version. */
const VERSION = '1.0.0'

const introduction = `
Interface do Vigia: câmeras, eventos vistos por elas, verificação e avisos.

**Entrar.** \`POST /api/v1/auth/token\` (ou \`/auth/login\`) devolve um token que vale 1 hora. Mande-o em
\`Authorization: Bearer …\`. O painel usa o mesmo token no cookie \`session\`.

**Chaves de integração.** Um sistema usa uma chave (\`POST /api/v1/chaves\`) no lugar do token, no mesmo cabeçalho, \
e só nele.

**Papéis e alcance.** O papel diz o que se pode: \`administrador\` vê e muda; \`vigilante\` responde incidentes e não \
muda câmeras; \`usuario\` só lê. O \`alcance\` diz onde: só a própria Empresa, também as que estão abaixo dela, ou uma \
lista. O operador da instalação cuida de tudo. Uma tela em modo quiosque é \`vigilante\` ou \`usuario\`. Uma chave \
só lê (\`leitura\`) ou também muda (\`escrita\`). Um agente (OAuth, em \`/mcp\`) pode o que o login dele pode \
(\`mcp\`), ou só ler (\`mcp:leitura\`).
O que está fora do escopo é respondido como inexistente (404).

**Erros.** O corpo é \`{"detail": "…"}\`; em 422, \`detail\` é a lista dos problemas, cada um com \
\`loc\`, \`msg\` e \`type\`.

**Valores.** Horas em ISO 8601 UTC com \`Z\`. \`PATCH\` muda só os campos enviados. Um campo que o corpo não tem é \
recusado (422).
`.trim()

type Collector = ReturnType<typeof createSchemaCollector>

/**
 * The OpenAPI 3.1 document of `routes`: request bodies, answers and every error.
 * @throws Error when two routes have the same operationId, or a path belongs to no chapter
 */
export function openApiDocument(routes: readonly Route[], basePath = ''): object {
  const collector = createSchemaCollector()
  const paths: Record<string, Record<string, object>> = {}
  const operations = new Set<string>()
  for (const route of routes) {
    if (operations.has(route.operacao)) throw new Error(`${route.path}: operacao ${route.operacao} is taken`)
    operations.add(route.operacao)
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route, collector) }
  }
  const responses = responseComponents((schema) => collector.take(schema, 'output'))
  const { document, schemas } = collector.finish({ paths, responses })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vigia',
      version: VERSION,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: basePath || '/', description: 'Esta instalação' }],
    tags: tagList,
    paths: document.paths,
    components: { schemas, responses: document.responses, headers: headerComponents, securitySchemes },
  }
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Token de `POST /api/v1/auth/token`.' },
  chave: { type: 'http', scheme: 'bearer', description: 'Chave de `POST /api/v1/chaves`.' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session', description: 'O mesmo token, no cookie do painel.' },
  envio: { type: 'http', scheme: 'bearer', description: 'Credencial que a central manda à caixa para um envio.' },
  token: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'O mesmo token, onde não se podem mandar cabeçalhos.',
  },
} as const

const schemesOf = (route: Route): string[] =>
  route.acesso === 'edge'
    ? ['envio']
    : ['bearer', 'cookie', ...(route.tokenNaQuery ? ['token'] : []), ...(keyMayCall(route) ? ['chave'] : [])]

function operation(route: Route, { take }: Collector): object {
  const parameters = [...parametersOf(route.params, 'path', take), ...parametersOf(route.query, 'query', take)]
  return {
    operationId: route.operacao,
    summary: route.resumo,
    ...(route.descricao && { description: route.descricao }),
    tags: [tagOf(route.path)],
    security: route.acesso === 'publico' ? [] : schemesOf(route).map((name) => ({ [name]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(route.json && { requestBody: requestBody('application/json', route.json, take) }),
    ...(route.form && { requestBody: requestBody('application/x-www-form-urlencoded', route.form, take) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.respostas).map(([status, answer]) => [
          status,
          response(route, Number(status), answer, take),
        ]),
      ),
      ...(route.oauth ? oauthRefusals(route, take) : refusals(route)),
    },
  }
}

const refusals = (route: Route) =>
  Object.fromEntries(
    [400 as const, ...declaredErrors(route), 500 as const]
      .filter((status) => !(status in route.respostas))
      .map((status) => [status, refusalRef(status)]),
  )

/** Errors in the form of RFC 6749, next to a page of the route for the same status. Wrong input can also be a 400. */
function oauthRefusals(route: Route, take: Collector['take']) {
  const errors = declaredErrors(route)
  const statuses = [400 as const, ...errors, 500 as const]
  return Object.fromEntries(
    statuses.map((status) => {
      const page = contentOf(route.respostas[status] ?? null, take)
      return [status, oauthRefusal(status, take(erroOauthSchema, 'output'), page.content)]
    }),
  )
}

const requestBody = (type: string, schema: z.ZodType, take: Collector['take']) => ({
  required: true,
  content: { [type]: { schema: take(schema, 'input') } },
})

/**
 * A field that is parsed from text is described by its parsed type, a number with its bounds. Its input side shows
 * whether it is required.
 */
function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query', take: Collector['take']): object[] {
  if (!(schema instanceof z.ZodObject)) return []
  const { required = [] } = take(schema, 'input') as { required?: string[] }
  return Object.entries(schema.shape).map(([name, field]) => {
    const { description, ...type } = take(field as z.ZodType, 'output')
    return {
      name,
      in: where,
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: type,
    }
  })
}

const descriptions: Readonly<Record<number, string>> = {
  101: 'WebSocket aberto; cada mensagem é um texto JSON',
  200: 'Resposta',
  201: 'Criado',
  204: 'Feito, sem corpo',
  303: 'Redireciona',
  304: 'Não mudou desde a versão que já se tem',
  400: 'Recusado; `error` diz por quê',
  401: 'O programa não é conhecido',
}

function response(route: Route, status: number, answer: Resposta, take: Collector['take']): object {
  const redirects: readonly AnswerHeader[] = status === 303 ? ['Location'] : []
  const headers = headerRefs([...new Set<AnswerHeader>(['X-Request-Id', ...redirects, ...(route.cabecalhos ?? [])])])
  return { description: descriptions[status] ?? 'Resposta', headers, ...contentOf(answer, take) }
}

function contentOf(answer: Resposta, take: Collector['take']): { readonly content?: object } {
  if (answer === null) return {}
  if ('recebe' in answer) return {}
  const json = answer instanceof z.ZodType ? answer : 'mensagens' in answer ? answer.mensagens : null
  if (json) return { content: { 'application/json': { schema: take(json, 'output') } } }
  // JSON Schema has no bytes: only the media type describes such a body.
  return 'midia' in answer ? { content: { [answer.midia]: {} } } : {}
}
