import type { HttpBindings } from '@hono/node-server'
import { VigiaError } from '@vigia/contracts/errors'
import type { Context, Hono } from 'hono'
import { jsonBelow } from '../adapters/base-path.ts'
import { runForRoot } from '../db/pool-share.ts'
import { type Authenticate, type AuthenticateEdge, authorize } from './access.ts'
import { BODY_LIMIT, readForm, readJson } from './body.ts'
import { checkAnswer, checkRefusal, checkRows } from './check-answer.ts'
import type { HttpEnv } from './http-env.ts'
import type { Logger } from './request-log.ts'
import { isWebSocket, type RawAnswer, type RequestInfo, type Route } from './route.ts'
import { type RowStream, writeRows } from './row-stream.ts'
import { closingOnFailure, streamBody } from './stream-body.ts'
import type { Turns } from './turns.ts'
import type { UpgradeBinding } from './upgrade.ts'
import { parseInput } from './validation-items.ts'

export type RunOfRoot = <T>(root: number, run: () => Promise<T>) => Promise<T>

interface MountDeps {
  readonly authenticate: Authenticate
  readonly authenticateEdge: AuthenticateEdge
  readonly stopping: AbortSignal
  readonly checkAnswers?: boolean
  readonly basePath?: string
  readonly turns: { readonly empresa: Turns; readonly root: Turns }
  readonly rootOf: (empresaId: number) => Promise<number>
  readonly runOfRoot: RunOfRoot
  readonly log: Logger
}

/** Adds `route` to `app`. Order: access, then path, query and body, then the handler. */
export function mountRoute(app: Hono<HttpEnv>, route: Route, deps: MountDeps): void {
  const path = route.path.replace(/\{(\w+)\}/g, ':$1')
  const json = jsonBelow(deps.basePath ?? '')
  const answer = async (c: Context<HttpEnv>): Promise<Response> => {
    c.set('route', route.path)
    c.set('oauth', route.oauth ?? null)
    const header = (name: string) => c.req.header(name)
    const from = { endereco: c.get('address').remoteAddress, pedido: c.get('requestId') }
    const { authenticate, authenticateEdge } = deps
    const access = await authorize(route, header, c.req.query('token'), from, authenticate, authenticateEdge).catch(
      (error) => {
        if (route.navegacao && isUnauthenticated(error)) return c.redirect('/login', 303)
        throw error
      },
    )
    if (access instanceof Response) return access
    c.set('caller', access.caller)
    const upgrade = 'accept' in c.env ? (c.env as UpgradeBinding) : null
    if (isWebSocket(route) !== (upgrade !== null)) return wrongProtocol(route, c.get('requestId'))
    const inputs = await readInputs(route, c)
    const { caller, credential } = access
    const handle = async () =>
      route.handler({ ...inputs, caller, credential, request: requestInfo(c, access.token, deps.stopping) })
    // Public routes have their own limits, and the operator belongs to no Empresa.
    const empresaId = caller?.empresaId ?? null
    const answer = empresaId === null ? await handle() : await inTurn(deps, empresaId, handle)
    if (deps.checkAnswers) checkAnswer(route, answer)
    if ('feed' in answer || 'intake' in answer) {
      upgrade?.accept(answer, deps.stopping)
      c.set('upgraded', true)
      return c.body(null)
    }
    if ('rows' in answer) {
      const rows = deps.checkAnswers ? checkRows(route, answer.rows) : answer.rows
      return answerRows(c, rows, json, deps.log)
    }
    return toResponse(answer, json)
  }
  const checked = (c: Context<HttpEnv>) => answer(c).catch((error: unknown) => checkRefusal(route, error))
  app.on(route.method.toUpperCase(), path, deps.checkAnswers ? checked : answer)
}

async function inTurn<T>(
  { turns, rootOf, runOfRoot }: MountDeps,
  empresaId: number,
  handle: () => Promise<T>,
): Promise<T> {
  const root = await rootOf(empresaId)
  const ofEmpresa = () => turns.empresa.run(String(empresaId), () => runOfRoot(root, handle))
  return turns.root.run(String(root), () => runForRoot(root, ofEmpresa))
}

const wrongProtocol = (route: Route, id: string): Response =>
  isWebSocket(route)
    ? Response.json(
        { detail: 'Este endereço é um WebSocket. Conecte com um cliente WebSocket (ws:// ou wss://).' },
        { status: 426, headers: { connection: 'Upgrade', upgrade: 'websocket' } },
      )
    : Response.json({ detail: 'Este endereço não é um WebSocket.', id }, { status: 400 })

const isUnauthenticated = (error: unknown): boolean => error instanceof VigiaError && error.code === 'nao_autenticado'

async function readInputs(route: Route, c: Context<HttpEnv>) {
  const limit = route.limiteBytes ?? BODY_LIMIT
  const params = route.params && parseInput(route.params, c.req.param(), 'path')
  const query = route.query && parseInput(route.query, Object.fromEntries(new URL(c.req.url).searchParams), 'query')
  const json = route.json && parseInput(route.json, await readJson(c.req.raw, limit), 'body')
  const form = route.form && parseInput(route.form, await readForm(c.req.raw, limit, route.oauth !== undefined), 'body')
  return { params, query, json, form }
}

function requestInfo(c: Context<HttpEnv>, token: string | null, stopping: AbortSignal): RequestInfo {
  return {
    id: c.get('requestId'),
    method: c.req.raw.method,
    raw: c.req.raw,
    header: (name) => c.req.header(name),
    get signal() {
      return AbortSignal.any([c.req.raw.signal, stopping])
    },
    ...c.get('address'),
    token,
    disconnect: () => {
      ;(c.env as Partial<HttpBindings>).outgoing?.destroy()
    },
  }
}

type Json = ReturnType<typeof jsonBelow>

function answerRows(c: Context<HttpEnv>, rows: RowStream<unknown>, json: Json, log: Logger): Response {
  const disconnect = () => (c.env as Partial<HttpBindings>).outgoing?.destroy()
  const holder = closingOnFailure({ log }, { id: c.get('requestId'), disconnect }, 'lista interrompida')
  const body = streamBody(writeRows(rows, json), { ...holder, finished: rows.finished })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

function toResponse(
  answer: Exclude<RawAnswer, { feed: unknown } | { intake: unknown } | { rows: unknown }>,
  json: Json,
): Response {
  if (answer instanceof Response) return answer
  const { status, body, headers } = answer
  return body === undefined
    ? new Response(null, { status, headers: headers ?? {} })
    : new Response(json(body), { status, headers: { 'content-type': 'application/json', ...headers } })
}
