import {
  type AuthInfo,
  createMcpHandler,
  McpServer,
  type McpServerOptions,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { VigiaError } from '@vigia/contracts/errors'
import type { z } from 'zod'
import type { Logger } from '../../../http/request-log.ts'
import type { RequestInfo } from '../../../http/route.ts'
import { parseInput } from '../../../http/validation-items.ts'
import type { Agent } from '../oauth/authenticate-agent.ts'
import { callTool } from './call-tool.ts'
import type { Cancellations } from './cancellation.ts'
import { INSTRUCTIONS } from './instructions.ts'
import { listedSchema } from './listed-schema.ts'
import type { Prompt } from './prompt.ts'
import { refusalOf } from './refusal.ts'
import type { Resource, ResourceResult } from './resource.ts'
import type { RouteIndex } from './route-index.ts'
import type { Link, Tool, ToolContext } from './tool.ts'
import { createToolContext } from './tool-context.ts'
import { AVISO, dataText, PREAMBLE, plainName } from './untrusted.ts'

/**
 * Additions of a test to every server: the tools that a public suite requires. Other types of the library are internal
 * to this file.
 */
export interface Extras {
  readonly options: McpServerOptions
  readonly add: (server: McpServer) => void
}

export interface Catalogue {
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
}

/** One HTTP request to /mcp with a valid token. */
interface Exchange {
  readonly agent: Agent
  readonly request: RequestInfo
  /** Names of the tools that the request calls. */
  readonly called: ReadonlySet<unknown>
  /** Aborts when the client disconnects, the server stops, or the answer ends. */
  readonly signal: AbortSignal
}

interface McpDeps {
  readonly catalogue: Catalogue
  readonly index: RouteIndex
  readonly cancellations: Cancellations
  readonly log: Logger
  readonly draw: ToolContext['draw']
  readonly checkAnswers: boolean
  readonly basePath: string
  readonly extras?: Extras | undefined
}

/** Answers one HTTP request of the protocol. @param body its JSON, already read */
export type ServeMcp = (http: Request, body: unknown, exchange: Exchange) => Promise<Response>

/**
 * The MCP server: the revision 2026-07-28 and older ones on one path. It has no sessions, so any replica can answer any
 * request. Each request gets its own server with only the tools, resources and prompts of its caller.
 */
export function createMcp(deps: McpDeps): ServeMcp {
  const known = prepare(deps.catalogue)
  const handler = createMcpHandler(({ authInfo }) => newServer(deps, known, exchangeOf(authInfo)), {
    onerror: (err) => deps.log.debug({ err }, 'mcp: request refused'),
  })
  return (http, body, exchange) =>
    handler.fetch(http, {
      parsedBody: body,
      // The token is omitted, because the library does not need it.
      authInfo: { token: '', clientId: exchange.agent.clientId, scopes: [exchange.agent.escopo], extra: { exchange } },
    })
}

function exchangeOf(authInfo: AuthInfo | undefined): Exchange {
  const exchange = authInfo?.extra?.exchange
  if (!exchange) throw new Error('authInfo without exchange')
  return exchange as Exchange
}

/** Computed once for all requests. */
const prepare = ({ tools, resources, prompts }: Catalogue) => ({
  tools: tools.map((tool) => ({
    tool,
    input: listedSchema(tool.entrada),
  })),
  resources,
  prompts,
})

function newServer(deps: McpDeps, known: ReturnType<typeof prepare>, exchange: Exchange): McpServer {
  const { index, extras } = deps
  const { papel, efeitos } = exchange.agent.caller
  const visible = ({ operacoes }: { readonly operacoes: readonly string[] }) => index.mayCall(operacoes, papel)
  const server = new McpServer(
    { name: 'vigia', title: 'Vigia', version: '1.0.0' },
    {
      instructions: INSTRUCTIONS,
      // Lists change only with the role of the login and the version of the program. Clients are not notified, so a
      // subscription (2026-07-28) ends at once.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
      ...extras?.options,
    },
  )
  const offered = ({ nome, efeito }: Tool) => !efeito || efeitos.has(efeito) || exchange.called.has(nome)
  for (const entry of known.tools)
    if (visible(entry.tool) && offered(entry.tool)) addTool(server, entry, deps, exchange)
  for (const resource of known.resources) if (visible(resource)) addResource(server, resource, deps, exchange)
  for (const prompt of known.prompts) if (visible(prompt)) addPrompt(server, prompt, deps, exchange)
  extras?.add(server)
  return server
}

/**
 * Context of a call. Progress is sent if the client asked for it. The connection or a cancellation by id aborts the
 * call.
 * @param protocol undefined for a completion, which gets no context from the library: only the connection aborts it
 */
function contextOf(
  { index, draw, checkAnswers, basePath, log }: McpDeps,
  { agent, request, signal }: Exchange,
  operacoes: readonly string[],
  protocol?: Pick<ServerContext, 'mcpReq'>,
  cancelled?: AbortSignal,
): ToolContext {
  const signals = [signal, protocol?.mcpReq.signal, cancelled].filter((one) => one !== undefined)
  const progressToken = protocol?.mcpReq._meta?.progressToken
  let last = -1
  return createToolContext({
    index,
    operacoes,
    caller: agent.caller,
    draw,
    checkAnswers,
    basePath,
    request: {
      ...request,
      token: null,
      signal: AbortSignal.any(signals),
      ...(protocol &&
        progressToken !== undefined && {
          progress: (done: number, total: number, message: string) => {
            // The protocol requires increasing values.
            if (done <= last) return
            last = done
            protocol.mcpReq
              .notify({ method: 'notifications/progress', params: { progressToken, progress: done, total, message } })
              .catch((err: unknown) => log.debug({ err, id: request.id }, 'mcp: progress not sent'))
          },
        }),
    },
  })
}

function addTool(
  server: McpServer,
  { tool, input }: ReturnType<typeof prepare>['tools'][number],
  deps: McpDeps,
  exchange: Exchange,
): void {
  const { agent, request } = exchange
  const { usuarioId, origem } = agent.caller
  const names = { pedido: request.id, usuarioId, cliente: origem.cliente ?? agent.clientId }
  server.registerTool(
    tool.nome,
    {
      title: tool.titulo,
      description: tool.descricao,
      // No output schemas: they were two thirds of the list, and the answers name their fields.
      inputSchema: input,
      annotations: listedHints(tool.anotacoes),
    },
    async (entrada, protocol) => {
      const call = deps.cancellations.begin(agent.autorizacaoId, protocol.mcpReq.id)
      try {
        const context = contextOf(deps, exchange, tool.operacoes, protocol, call.signal)
        return await callTool(tool, entrada, context, deps.log, names)
      } finally {
        call.end()
      }
    },
  )
}

/** A tool that only reads has no use for the hints about changes (MCP, ToolAnnotations). */
const listedHints = ({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }: Tool['anotacoes']) =>
  readOnlyHint ? { readOnlyHint, openWorldHint } : { readOnlyHint, destructiveHint, idempotentHint, openWorldHint }

function addResource(server: McpServer, resource: Resource, deps: McpDeps, exchange: Exchange): void {
  const { nome, titulo, descricao, uri: pattern, operacoes, list } = resource
  const context = (protocol: ServerContext) => contextOf(deps, exchange, operacoes, protocol)
  const config = { title: titulo, description: descricao, mimeType: 'application/json' }
  const read = async (uri: URL, variables: Record<string, string | string[]>, protocol: ServerContext) => {
    const texts = Object.entries(variables).map(([name, value]) => [name, decode(String(value))])
    return refusing(deps, exchange, { uri: uri.href }, async () =>
      contents(uri.href, await resource.read(Object.fromEntries(texts), context(protocol))),
    )
  }
  const template = new ResourceTemplate(pattern, {
    list:
      list &&
      ((protocol) =>
        refusing(deps, exchange, { uri: pattern }, async () => ({
          resources: (await list(context(protocol))).map((link) => ({ ...linked(link), mimeType: config.mimeType })),
        }))),
    complete: completersOf(resource, deps, exchange),
  })
  server.registerResource(nome, template, config, read)
}

/** The object has no prototype, because the library reads a variable by the sent name, which may be `constructor`. */
function completersOf({ nome, operacoes, complete = {} }: Resource, deps: McpDeps, exchange: Exchange) {
  const completers = Object.entries(complete).map(([variable, values]) => [
    variable,
    (typed: string) =>
      refusing(deps, exchange, { nome }, async () => [...(await values(typed, contextOf(deps, exchange, operacoes)))]),
  ])
  return Object.assign(Object.create(null), Object.fromEntries(completers))
}

const linked = ({ uri, nome }: Link) => ({ uri, name: plainName(nome), title: plainName(nome) })

/** A malformed escape stays unchanged and matches no id. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const contents = (uri: string, { dados, imagens = [] }: ResourceResult) => ({
  contents: [
    { uri, mimeType: 'application/json', text: dataText({ aviso: AVISO, ...dados }) },
    ...imagens.map(({ tipo, bytes }) => ({ uri, mimeType: tipo, blob: Buffer.from(bytes).toString('base64') })),
  ],
})

function addPrompt(server: McpServer, prompt: Prompt, deps: McpDeps, exchange: Exchange): void {
  const { nome, titulo, descricao, argumentos, operacoes } = prompt
  const config = { title: titulo, description: descricao }
  const get = (values: unknown, protocol: ServerContext) =>
    refusing(deps, exchange, { nome }, async () => {
      const parsed = parseInput(argumentos, values, 'body') as z.output<z.ZodObject>
      const messages = await prompt.messages(parsed, contextOf(deps, exchange, operacoes, protocol))
      return {
        description: descricao,
        messages: messages.flatMap((message) =>
          'texto' in message ? [said(message.texto)] : [said(PREAMBLE), said(dataText(message.dados))],
        ),
      }
    })
  server.registerPrompt(nome, { ...config, argsSchema: listedSchema(argumentos) }, get)
}

const said = (text: string) => ({ role: 'user' as const, content: { type: 'text' as const, text } })

/** Largest number of logged characters of an address, because an agent may send a long one. */
const LOGGED = 100

/**
 * Runs a lookup outside a tool and turns its errors into errors of the protocol. Logs caller and address, because a
 * resource contains pictures like the answer of a tool.
 * @param subject address of the resource if only the resource can be missing; else name of the resource or prompt
 */
async function refusing<T>(
  { log }: McpDeps,
  { agent, request }: Exchange,
  subject: { readonly uri: string } | { readonly nome: string },
  task: () => Promise<T>,
): Promise<T> {
  const { usuarioId, origem } = agent.caller
  const fields = (resultado: string) => ({
    id: request.id,
    leitura: ('uri' in subject ? subject.uri : subject.nome).slice(0, LOGGED),
    resultado,
    usuario_id: usuarioId,
    cliente: origem.cliente,
  })
  try {
    const result = await task()
    log.info(fields('ok'), 'leitura de agente')
    return result
  } catch (error) {
    const { motivo, texto } = refusalOf(error, request.id)
    if (!(error instanceof VigiaError) || motivo === 'interno')
      log.error({ ...fields(motivo), err: error }, 'leitura de agente falhou')
    else log.info(fields(motivo), 'leitura de agente')
    if (motivo === 'nao_encontrado' && 'uri' in subject) throw new ResourceNotFoundError(subject.uri)
    const code = motivo === 'interno' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams
    throw new ProtocolError(code, texto)
  }
}
