import { VigiaError } from '@vigia/contracts/errors'
import type { Papel } from '@vigia/contracts/usuarios'

/** A login and what it may see, as both are at this moment. */
export interface Login {
  readonly usuarioId: number
  readonly username: string
  readonly papel: Papel
  /** null: not tied to an Empresa (the operator of the installation). */
  readonly empresaId: number | null
  /**
   * Ids of the Empresas in scope: own Empresa and all below it for an `administrador`, own alone for a `usuario`;
   * `tudo` for the operator.
   */
  readonly escopo: 'tudo' | ReadonlySet<number>
}

/** By which door a request came, for the record of who did what. */
export interface Origem {
  readonly canal: 'painel' | 'api' | 'agente'
  /** The agent's name and client id; null for people. */
  readonly cliente: string | null
  /** As far as it can be trusted (VIGIA_PROXY_CONFIAVEL). */
  readonly endereco: string
  /** Id of the request, as in the log. */
  readonly pedido: string
}

/** Who asks, and how. Computed anew for every request. */
export interface Caller extends Login {
  readonly origem: Origem
}

export const inScope = (caller: Login, empresaId: number): boolean =>
  caller.escopo === 'tudo' || caller.escopo.has(empresaId)

/** The ids to filter a query by, ascending; null: no filter. An empty list matches nothing. */
export const scopeIds = (caller: Login): number[] | null =>
  caller.escopo === 'tudo' ? null : [...caller.escopo].sort((a, b) => a - b)

/** Throws `proibido` unless the caller may change things (decisions, Roles: `usuario` is read-only). */
export function requireWrite(caller: Login): void {
  if (caller.papel !== 'administrador')
    throw new VigiaError('proibido', { detalhe: 'Seu login é só de leitura. Peça ao administrador da conta.' })
}

/** What is missing and what is out of scope is answered alike, so that ids of other accounts cannot be probed. */
export const notFound = (detalhe = 'Não encontrado.'): VigiaError => new VigiaError('nao_encontrado', { detalhe })

/** Throws `nao_encontrado` unless `empresaId` is in scope. */
export function requireScope(caller: Login, empresaId: number): void {
  if (!inScope(caller, empresaId)) throw notFound('Empresa não encontrada.')
}
