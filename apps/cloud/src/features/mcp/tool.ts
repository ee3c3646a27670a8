import type { z } from 'zod'
import type { RouteValues } from '../../http/call-route.ts'
import type { Caller } from '../../http/caller.ts'

/** What a tool, a resource and a prompt may do: call REST routes as the person on whose behalf the agent works. */
export interface ToolContext {
  readonly caller: Caller
  /** JSON body of a 2xx answer of the route with this `operacao`. @throws VigiaError as the route does. */
  json<T>(operacao: string, values?: RouteValues): Promise<T>
  /** The same for an answer that is a picture. @throws VigiaError as the route does. */
  picture(operacao: string, values?: RouteValues): Promise<Picture>
  /** The same as `json` where headers are wanted too (names in lower case: `x-total-count`). */
  answer(
    operacao: string,
    values?: RouteValues,
  ): Promise<{ readonly body: unknown; readonly headers: Readonly<Record<string, string>> }>
  /** Aborts when the agent cancels the call or is gone, or the server stops. */
  readonly signal: AbortSignal
}

export interface Picture {
  /** Media type, `image/jpeg`. */
  readonly tipo: string
  readonly bytes: Uint8Array
}

/** A resource that is worth reading next. */
export interface Link {
  readonly uri: string
  readonly nome: string
}

export interface ToolResult<D> {
  /** What the output schema takes; the server adds `aviso` to it. */
  readonly dados: D
  readonly imagens?: readonly Picture[]
  readonly vinculos?: readonly Link[]
}

interface ToolSpec<E extends z.ZodObject, S extends z.ZodObject> {
  /** A Portuguese verb and a noun: `listar_cameras`. */
  readonly nome: string
  /** What a person reads in a list of tools. */
  readonly titulo: string
  /** Portuguese, for an agent that has to choose: what it does, when to take it, what it does not do. */
  readonly descricao: string
  /** Every field with `.describe()`; an unknown field is refused (`z.strictObject`). */
  readonly entrada: E
  /** Every field with `.describe()`. `aviso` is reserved: the server puts it in. */
  readonly saida: S
  /** Names (`operacao`) of the routes that it calls: who may call all of them sees the tool. */
  readonly operacoes: readonly string[]
  readonly anotacoes: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    /** It reaches something outside this installation: a recorder, a webhook. */
    readonly openWorldHint: boolean
  }
  run(entrada: z.output<E>, ctx: ToolContext): Promise<ToolResult<z.input<S>>>
}

/** A tool with its types closed over. */
export type Tool = ToolSpec<z.ZodObject, z.ZodObject>

/** Declares a tool; the compiler checks what `run` takes and gives against the schemas. */
export function defineTool<E extends z.ZodObject, S extends z.ZodObject>(tool: ToolSpec<E, S>): Tool {
  // The one place where the types are let go: the server parses with `entrada` before it calls `run`, and `saida` after.
  return tool as unknown as Tool
}
