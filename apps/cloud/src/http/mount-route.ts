import { isDeepStrictEqual } from 'node:util'
import type { OpenAPIHono } from '@hono/zod-openapi'
import { VigiaError } from '@vigia/contracts/errors'
import type { Context } from 'hono'
import { z } from 'zod'
import { type Authenticate, authorize } from './access.ts'
import { BODY_LIMIT, readForm, readJson } from './body.ts'
import type { Caller } from './caller.ts'
import type { ClientAddress } from './client-address.ts'
import type { RawAnswer, RequestInfo, Route } from './route.ts'
import { parseInput } from './validation-items.ts'

export interface HttpEnv {
  Bindings: object
  Variables: {
    requestId: string
    address: ClientAddress
    caller: Caller | null
    /** Pattern of the route that answers; null: none. */
    route: string | null
    failure: Error | undefined
  }
}

interface MountDeps {
  readonly authenticate: Authenticate
  readonly stopping: AbortSignal
  readonly checkAnswers?: boolean
}

/** Puts `route` into `app`: access first, then path, query and body, then the handler. */
export function mountRoute(app: OpenAPIHono<HttpEnv>, route: Route, deps: MountDeps): void {
  const path = route.path.replace(/\{(\w+)\}/g, ':$1')
  app.on(route.method.toUpperCase(), path, async (c) => {
    c.set('route', route.path)
    const header = (name: string) => c.req.header(name)
    const access = await authorize(route, header, c.req.query('token'), deps.authenticate).catch((error) => {
      if (isNavigation(route, c, error)) return c.redirect('/login', 303)
      throw error
    })
    if (access instanceof Response) return access
    c.set('caller', access.caller)
    const inputs = await readInputs(route, c)
    const answer = await route.handler({
      ...inputs,
      caller: access.caller,
      request: requestInfo(c, access.token, deps.stopping),
    })
    if (deps.checkAnswers) checkAnswer(route, answer)
    return toResponse(answer)
  })
}

const isNavigation = (route: Route, c: Context<HttpEnv>, error: unknown): boolean =>
  route.navegacao === true &&
  error instanceof VigiaError &&
  error.code === 'nao_autenticado' &&
  (c.req.header('accept') ?? '').includes('text/html')

async function readInputs(route: Route, c: Context<HttpEnv>) {
  const limit = route.limiteBytes ?? BODY_LIMIT
  const params = route.params && parseInput(route.params, c.req.param(), 'path')
  const query = route.query && parseInput(route.query, Object.fromEntries(new URL(c.req.url).searchParams), 'query')
  const json = route.json && parseInput(route.json, await readJson(c.req.raw, limit), 'body')
  const form = route.form && parseInput(route.form, await readForm(c.req.raw, limit), 'body')
  return { params, query, json, form }
}

function requestInfo(c: Context<HttpEnv>, token: string | null, stopping: AbortSignal): RequestInfo {
  return {
    id: c.get('requestId'),
    method: c.req.raw.method,
    header: (name) => c.req.header(name),
    get signal() {
      return AbortSignal.any([c.req.raw.signal, stopping])
    },
    ...c.get('address'),
    token,
  }
}

function toResponse(answer: RawAnswer): Response {
  if (answer instanceof Response) return answer
  const { status, body, headers } = answer
  return body === undefined
    ? new Response(null, { status, headers: headers ?? {} })
    : Response.json(body, { status, headers: headers ?? {} })
}

function checkAnswer(route: Route, answer: RawAnswer): void {
  if (answer instanceof Response) return
  const schema = route.respostas[answer.status]
  if (!(schema instanceof z.ZodType)) return
  const sent: unknown = JSON.parse(JSON.stringify(answer.body))
  if (!isDeepStrictEqual(schema.parse(sent), sent))
    throw new Error(`${route.method} ${route.path}: the answer holds fields that its schema does not know`)
}
