import { VigiaError } from '@vigia/contracts/errors'
import type { Papel } from '@vigia/contracts/usuarios'

/** A login, or an API key, and what it may see, as both are at this moment. */
export interface Login {
  /** null: an API key. */
  readonly usuarioId: number | null
  /** null: an API key. */
  readonly username: string | null
  /** The API key that acts; left out for a login. */
  readonly chave?: { readonly id: number; readonly nome: string }
  /** Its Empresa asks for a second factor, which it has not turned on: it may do that and little else. */
  readonly faltaSegundoFator?: boolean
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
  readonly canal: 'painel' | 'api' | 'agente' | 'chave'
  /** The agent's name and client id, or the key's name; null for people. */
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

export const inScope = (caller: Pick<Login, 'escopo'>, empresaId: number): boolean =>
  caller.escopo === 'tudo' || caller.escopo.has(empresaId)

/** The ids to filter a query by, ascending; null: no filter. An empty list matches nothing. */
export const scopeIds = (caller: Login): number[] | null =>
  caller.escopo === 'tudo' ? null : [...caller.escopo].sort((a, b) => a - b)

/** Throws `proibido` unless the caller may change things (decisions, Roles: `usuario` is read-only). */
export function requireWrite(caller: Login): void {
  if (caller.papel === 'administrador') return
  const detalhe = caller.chave
    ? 'Esta chave é só de leitura. Use uma chave com escopo de escrita.'
    : 'Seu login é só de leitura. Peça ao administrador da conta.'
  throw new VigiaError('proibido', { detalhe })
}

/** Names whoever calls in counters and places: one login or one key. */
export const callerKey = ({ usuarioId, chave }: Login): string => (chave ? `chave:${chave.id}` : `login:${usuarioId}`)

/** The id of the login. @throws VigiaError `proibido` for an API key. */
export function requireLogin({ usuarioId }: Login): number {
  if (usuarioId === null)
    throw new VigiaError('proibido', { detalhe: 'Uma chave de integração não faz isto. Entre com um login.' })
  return usuarioId
}

/** What is missing and what is out of scope is answered alike, so that ids of other accounts cannot be probed. */
export const notFound = (detalhe = 'Não encontrado.'): VigiaError => new VigiaError('nao_encontrado', { detalhe })

/** Throws `nao_encontrado` unless `empresaId` is in scope. */
export function requireScope(caller: Login, empresaId: number): void {
  if (!inScope(caller, empresaId)) throw notFound('Empresa não encontrada.')
}
