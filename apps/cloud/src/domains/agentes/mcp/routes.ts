import { VigiaError } from '@vigia/contracts/errors'
import type { BoxDrawer } from '../../../adapters/box-drawer/box-drawer.ts'
import type { RateLimit } from '../../../adapters/rate-limits/interface.ts'
import type { Logger } from '../../../http/request-log.ts'
import { defineRoute, type RequestInfo, type Route } from '../../../http/route.ts'
import type { Replica } from '../../../replicas/replica.ts'
import type { Agent, AuthenticateAgent } from '../oauth/authenticate-agent.ts'
import type { PublicBase } from '../oauth/public-base.ts'
import { createCancellations } from './cancellation.ts'
import { bearerToken, insufficientScope, unauthorized } from './challenge.ts'
import { createInFlight } from './in-flight.ts'
import { readMessages } from './messages.ts'
import { createRouteIndex } from './route-index.ts'
import { type Catalogue, createMcp, type Extras } from './server.ts'
import { whenOver } from './when-over.ts'

export interface McpRoutesDeps {
  /** All REST routes, which tools call. Evaluated at the first call. */
  readonly routes: () => readonly Route[]
  readonly catalogue: Catalogue
  readonly authenticateAgent: AuthenticateAgent
  readonly publicBase: PublicBase
  /** Limits the messages of one authorization. */
  readonly limit: RateLimit
  /** Runs an exchange with an agent of this Empresa, whose audit records count. */
  readonly counted: <T>(empresaId: number, run: () => Promise<T>) => Promise<T>
  readonly log: Logger
  /** Draws the boxes on the frames that agents get. */
  readonly draw: BoxDrawer['draw']
  readonly checkAnswers: boolean
  readonly basePath: string
  readonly extras?: Extras | undefined
  /** The call to cancel may run in another replica. */
  readonly replica: Pick<Replica, 'notify' | 'onNotice'>
}

/** Concurrent requests of one authorization, enough for an agent with parallel tasks. */
export const MOST_OPEN = 16

const anything = { midia: '*/*' } as const

/**
 * Streamable HTTP on one path. The server has no sessions, so GET (server stream) and DELETE (end of a session) answer
 * 405. They check the token first, so a client that starts with GET receives the 401 with the metadata.
 */
export function mcpRoutes(deps: McpRoutesDeps): Route[] {
  const { authenticateAgent, publicBase, limit, catalogue } = deps
  const index = createRouteIndex(deps.routes)
  const cancellations = createCancellations()
  deps.replica.onNotice((notice) => {
    if (notice.tipo === 'cancelar') cancellations.cancel(notice.autorizacaoId, notice.id)
  })
  const open = createInFlight(MOST_OPEN)
  const serve = createMcp({ ...deps, index, cancellations })

  /** Whether the role of the login allows the calls and only the consent of the agent does not. */
  const needsWiderScope = ({ escopo, papelDoLogin }: Agent, tools: ReadonlySet<unknown>) =>
    escopo === 'mcp:leitura' &&
    catalogue.tools.some(
      ({ nome, operacoes }) =>
        tools.has(nome) && !index.mayCall(operacoes, 'usuario') && index.mayCall(operacoes, papelDoLogin),
    )

  const counted = ({ caller: { empresaId } }: Agent, run: () => Promise<Response>) =>
    empresaId === null ? run() : deps.counted(empresaId, run)

  async function post(agent: Agent, base: string, request: RequestInfo): Promise<Response> {
    const count = () => limit.consume(`autorizacao:${agent.autorizacaoId}`)
    await count()
    const read = await readMessages(request.raw)
    if (!read.ok) return read.response
    // Every message of a batch counts.
    for (const _ of read.messages.slice(1)) await count()
    const named = (name: string) => read.messages.filter(({ method }) => method === name).map(({ params }) => params)
    const called = new Set(named('tools/call').map((params) => params?.name))
    if (needsWiderScope(agent, called)) return insufficientScope(base)
    for (const params of named('notifications/cancelled')) {
      const id = params?.requestId
      cancellations.cancel(agent.autorizacaoId, id)
      if (typeof id === 'string' || typeof id === 'number')
        deps.replica.notify({ tipo: 'cancelar', autorizacaoId: agent.autorizacaoId, id })
    }

    const leave = open.enter(agent.autorizacaoId)
    const over = new AbortController()
    const gone = request.signal
    const end = () => over.abort()
    gone.addEventListener('abort', end, { once: true })
    const finish = () => {
      gone.removeEventListener('abort', end)
      over.abort()
      leave()
    }
    try {
      // The body is omitted, because it is already read. The request has no signal, because the exchange has one.
      const http = new Request(request.raw.url, { method: 'POST', headers: request.raw.headers })
      const exchange = { agent, request, called, signal: over.signal }
      return whenOver(await counted(agent, () => serve(http, read.body, exchange)), finish)
    } catch (error) {
      finish()
      throw error
    }
  }

  async function answer(request: RequestInfo): Promise<Response> {
    const base = await publicBase(request)
    const origin = request.header('origin')
    if (origin !== undefined && origin !== base)
      throw new VigiaError('proibido', { detalhe: 'Requisição vinda de outro site.' })
    const authorization = request.header('authorization')
    const token = bearerToken(authorization)
    const agent =
      token && (await authenticateAgent(token, base, { endereco: request.remoteAddress, pedido: request.id }))
    if (!agent) return unauthorized(base, authorization !== undefined)
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    const response = await post(agent, base, request)
    response.headers.set('cache-control', 'no-store')
    return response
  }

  const route = (method: 'get' | 'post' | 'delete', operacao: string, resumo: string, statuses: readonly number[]) =>
    defineRoute({
      method,
      path: '/mcp',
      operacao,
      acesso: 'publico',
      efeito: null,
      resumo,
      erros: [403, ...(method === 'post' ? ([429] as const) : [])],
      respostas: Object.fromEntries(statuses.map((status) => [status, anything])),
      handler: ({ request }) => answer(request),
    })
  return [
    route('post', 'falarMcp', 'Mensagens MCP de um agente autorizado (Streamable HTTP)', POST_STATUSES),
    route('get', 'abrirSessaoMcp', 'Sem sessões: respondido com 405', [401, 405]),
    route('delete', 'encerrarSessaoMcp', 'Sem sessões: respondido com 405', [401, 405]),
  ]
}

/** Statuses of the protocol for a POST. */
const POST_STATUSES = [200, 202, 400, 401, 403, 404, 406, 413, 415, 500] as const
