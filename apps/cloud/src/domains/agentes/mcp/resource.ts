import type { Link, Picture, ToolContext } from './tool.ts'

export interface ResourceResult {
  /** Sent as one JSON text; the server adds `aviso`. */
  readonly dados: Readonly<Record<string, unknown>>
  readonly imagens?: readonly Picture[]
}

/** A record that an agent can read by its address. */
export interface Resource {
  /** Stable, lower case: `camera`. */
  readonly nome: string
  readonly titulo: string
  /** Portuguese. */
  readonly descricao: string
  /** Template with at least one variable (RFC 6570, simple form): `vigia://camera/{id}`. */
  readonly uri: string
  /** Names of the routes that it calls. A caller with access to all of them sees the resource. */
  readonly operacoes: readonly string[]
  /** @param variaveis of the template, decoded. @throws VigiaError; `nao_encontrado` becomes "resource not found" */
  read(variaveis: Readonly<Record<string, string>>, ctx: ToolContext): Promise<ResourceResult>
  /** First resources of the template, for lists in a client; absent where no useful limit exists. */
  list?(ctx: ToolContext): Promise<readonly Link[]>
  /** Completions of the typed text, per variable; at most 100 count. */
  readonly complete?: Readonly<Record<string, (typed: string, ctx: ToolContext) => Promise<readonly string[]>>>
}
