import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import type { Resposta, Route } from './route.ts'

/** The route in the form of the OpenAPI document. */
export function openApiPath(route: Route): RouteConfig {
  const body = route.json ?? route.form
  const bodyType = route.json ? 'application/json' : 'application/x-www-form-urlencoded'
  return {
    method: route.method,
    path: route.path,
    summary: route.resumo,
    security: route.acesso === 'publico' ? [] : [{ bearer: [] }, { cookie: [] }],
    request: {
      ...(route.params instanceof z.ZodObject && { params: route.params }),
      ...(route.query instanceof z.ZodObject && { query: route.query }),
      ...(body && { body: { required: true, content: { [bodyType]: { schema: body } } } }),
    },
    responses: Object.fromEntries(
      Object.entries(route.respostas).map(([status, answer]) => [status, openApiAnswer(answer)]),
    ),
  }
}

function openApiAnswer(answer: Resposta) {
  if (answer === null) return { description: 'Sem corpo' }
  if (answer instanceof z.ZodType)
    return { description: 'Resposta', content: { 'application/json': { schema: answer } } }
  if ('midia' in answer) return { description: 'Resposta', content: { [answer.midia]: { schema: z.string() } } }
  return { description: 'Resposta' }
}
