import type { Efeito } from '@vigia/contracts/efeitos'
import type { z } from 'zod'
import type { BoxDrawer } from '../../../adapters/box-drawer/box-drawer.ts'
import type { RouteValues } from '../../../http/call-route.ts'
import type { Caller } from '../../../http/caller.ts'

/** Functions for tools, resources and prompts: they call REST routes as the login that authorized the agent. */
export interface ToolContext {
  readonly caller: Caller
  /** Returns the JSON body of a 2xx answer of the route with this `operacao`. @throws VigiaError of the route */
  json<T>(operacao: string, values?: RouteValues): Promise<T>
  /** Like `json`, for a route with one path parameter: the id of a record. @param json its body */
  ofRecord<T>(operacao: string, id: number, json?: unknown): Promise<T>
  /** Returns the picture that the route answers. @throws VigiaError of the route */
  picture(operacao: string, values?: RouteValues): Promise<Picture>
  /** The JPEG with these boxes drawn on it, in fractions of the picture; as it is, if that fails. */
  readonly draw: BoxDrawer['draw']
  /** Like `json`, with the headers (names in lower case: `x-total-count`). */
  answer(
    operacao: string,
    values?: RouteValues,
  ): Promise<{ readonly body: unknown; readonly headers: Readonly<Record<string, string>> }>
  /** Aborts when the agent cancels the call or disconnects, or the server stops. */
  readonly signal: AbortSignal
}

export interface Picture {
  /** Media type, `image/jpeg`. */
  readonly tipo: string
  readonly bytes: Uint8Array
}

/** A related resource. */
export interface Link {
  readonly uri: string
  readonly nome: string
}

export interface ToolResult<D> {
  /** Input of the output schema; the server adds `aviso`. */
  readonly dados: D
  readonly imagens?: readonly Picture[]
  readonly vinculos?: readonly Link[]
}

interface ToolSpec<E extends z.ZodObject, S extends z.ZodObject> {
  /** A Portuguese verb and a noun: `listar_cameras`. */
  readonly nome: string
  /** Portuguese name in a list of tools. */
  readonly titulo: string
  /** Portuguese purpose, use and limits of the tool, from which an agent chooses. */
  readonly descricao: string
  /** Every field has `.describe()`; an unknown field is rejected (`z.strictObject`). */
  readonly entrada: E
  /** Every field has `.describe()`. `aviso` is reserved: the server adds it. */
  readonly saida: S
  /** Names (`operacao`) of the routes that it calls. A caller with access to all of them sees the tool. */
  readonly operacoes: readonly string[]
  /** Route that the schemas come from (route-tool.ts); absent: the tool has its own. */
  readonly rota?: { readonly operacao: string; readonly json?: z.ZodType; readonly resposta: z.ZodType }
  /**
   * The effect that the tool is for (http/effects.ts). The list has it only for an agent with this effect, which keeps
   * the list short. A call of another agent is answered too: the change may have no effect, or the refusal names it.
   */
  readonly efeito?: Efeito
  readonly anotacoes: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    /** It reaches systems outside this installation: a gravador, a webhook. */
    readonly openWorldHint: boolean
  }
  run(entrada: z.output<E>, ctx: ToolContext): Promise<ToolResult<z.input<S>>>
}

/** A tool without its type parameters. */
export type Tool = ToolSpec<z.ZodObject, z.ZodObject>

/** Declares a tool. The compiler checks input and result of `run` against the schemas. */
export function defineTool<E extends z.ZodObject, S extends z.ZodObject>(tool: ToolSpec<E, S>): Tool {
  // The cast is safe: callTool parses with `entrada` before it calls `run`, and with `saida` after.
  return tool as unknown as Tool
}
