import type { Link, Picture, ToolContext } from './tool.ts'

export interface ResourceResult {
  /** Becomes one JSON text; the server adds `aviso` to it. */
  readonly dados: Readonly<Record<string, unknown>>
  readonly imagens?: readonly Picture[]
}

/** Something that an agent can read by its address. */
export interface Resource {
  /** Stable, lower case: `camera`. */
  readonly nome: string
  readonly titulo: string
  /** Portuguese. */
  readonly descricao: string
  /** Template with at least one variable (RFC 6570, simple form): `vigia://camera/{id}`. */
  readonly uri: string
  /** Names of the routes that it calls: who may call all of them sees the resource. */
  readonly operacoes: readonly string[]
  /** @param variaveis of the template, decoded. @throws VigiaError: `nao_encontrado` is answered as a resource that is not there. */
  read(variaveis: Readonly<Record<string, string>>, ctx: ToolContext): Promise<ResourceResult>
  /** The first ones of a template, for lists in a client; none where there is no natural end. */
  list?(ctx: ToolContext): Promise<readonly Link[]>
  /** Values that complete what was typed so far, per variable; at most 100 count. */
  readonly complete?: Readonly<Record<string, (typed: string, ctx: ToolContext) => Promise<readonly string[]>>>
}
