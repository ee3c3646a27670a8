import { jsonBelow } from '../../../adapters/base-path.ts'
import { callRoute, type RouteValues } from '../../../http/call-route.ts'
import type { Caller } from '../../../http/caller.ts'
import type { RequestInfo } from '../../../http/route.ts'
import type { RouteIndex } from './route-index.ts'
import type { ToolContext } from './tool.ts'

interface ToolContextDeps {
  readonly index: RouteIndex
  /** Declared operations. Calls of undeclared routes fail, so that the list of a role matches its rights. */
  readonly operacoes: readonly string[]
  readonly caller: Caller
  /** The routes get the signal and the progress callback of this call. */
  readonly request: RequestInfo
  readonly draw: ToolContext['draw']
  readonly checkAnswers: boolean
  /** Path of the public address; '': none. */
  readonly basePath: string
}

/** Calls routes for a tool, with the access rules, validation and use cases of HTTP, but without a second request. */
export function createToolContext(deps: ToolContextDeps): ToolContext {
  const { index, operacoes, caller, request, draw, checkAnswers, basePath } = deps
  /** Addresses in an answer are those that HTTP would give. */
  const json = jsonBelow(basePath)
  const below = (body: unknown): unknown => (basePath === '' || body == null ? body : JSON.parse(json(body)))
  const call = (operacao: string, values: RouteValues = {}) => {
    if (!operacoes.includes(operacao)) throw new Error(`operacao ${operacao} is not declared by its caller`)
    return callRoute(index.find(operacao), caller, values, request, checkAnswers)
  }
  const answer = async (operacao: string, values?: RouteValues) => {
    const raw = await call(operacao, values)
    if (raw instanceof Response || 'feed' in raw || 'intake' in raw) throw new Error(`${operacao} does not answer JSON`)
    const headers = Object.entries(raw.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
    return { body: below(raw.body), headers: Object.fromEntries(headers) as Readonly<Record<string, string>> }
  }
  const ofRecord = async <T>(operacao: string, id: number, json?: unknown) => {
    const [, param] = /\{(\w+)\}/.exec(index.find(operacao).path) ?? []
    if (param === undefined) throw new Error(`${operacao} has no path parameter`)
    return (await answer(operacao, { params: { [param]: String(id) }, json })).body as T
  }
  return {
    caller,
    answer,
    ofRecord,
    json: async <T>(operacao: string, values?: RouteValues) => (await answer(operacao, values)).body as T,
    picture: async (operacao, values) => {
      const raw = await call(operacao, values)
      const tipo = raw instanceof Response ? raw.headers.get('content-type') : null
      if (!(raw instanceof Response) || !tipo?.startsWith('image/')) throw new Error(`${operacao} answers no picture`)
      return { tipo, bytes: new Uint8Array(await raw.arrayBuffer()) }
    },
    draw,
    signal: request.signal,
  }
}
