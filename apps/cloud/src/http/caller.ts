import type { Alcance } from '@vigia/contracts/alcance'
import type { Efeito } from '@vigia/contracts/efeitos'
import { VigiaError } from '@vigia/contracts/errors'
import type { Papel } from '@vigia/contracts/usuarios'

/** A login, a quiosque or an API key with its rights at the time of the request. */
export interface Login {
  /** null: a quiosque or an API key. */
  readonly usuarioId: number | null
  /** For a quiosque its name with QUIOSQUE_PREFIXO; null: an API key. */
  readonly username: string | null
  /** The session of the request; absent for an API key and for an agent. Times are epoch ms. */
  readonly sessao?: { readonly id: number; readonly expiraEm: number; readonly renovaAte: number }
  /** The screen in kiosk mode; absent for a login. */
  readonly quiosque?: { readonly id: number; readonly nome: string }
  /** The API key of the request; absent for a login. */
  readonly chave?: { readonly id: number; readonly nome: string }
  /**
   * The Empresa requires a second factor that this login has not enabled. Only routes with `semSegundoFator` accept it.
   */
  readonly faltaSegundoFator?: boolean
  readonly papel: Papel
  /** null: the operator of the installation, who belongs to no Empresa. */
  readonly empresaId: number | null
  /** The reach as a person chose it; of an agent, the narrower of its own and that of its login. */
  readonly alcance: Alcance
  /** Ids of the Empresas in scope, which follow from the reach (scope/scope-of.ts); operator: `tudo`. */
  readonly escopo: 'tudo' | ReadonlySet<number>
  /** Empresas whose plates of vehicles it does not see (scope/hidden-plates.ts); `tudo`: a `usuario`. */
  readonly placasOcultas: 'tudo' | ReadonlySet<number>
  /** Effects that it may have (http/effects.ts): a person all, a key none, an agent those that a person ticked. */
  readonly efeitos: ReadonlySet<Efeito>
}

/** Interface and client of a request, for the audit record. */
export interface Origem {
  readonly canal: 'painel' | 'api' | 'agente' | 'chave'
  /** Name and client id of the agent, or name of the key; null: a login. */
  readonly cliente: string | null
  /** Client address; trusts the proxies of VIGIA_PROXY_CONFIAVEL. */
  readonly endereco: string
  /** Id of the request, as in the log. */
  readonly pedido: string
}

/** Identity, rights and origin of a request. Computed for every request. */
export interface Caller extends Login {
  readonly origem: Origem
}

export const inScope = (caller: Pick<Login, 'escopo'>, empresaId: number): boolean =>
  caller.escopo === 'tudo' || caller.escopo.has(empresaId)

/**
 * Whether the caller administers an Empresa from above. With a list it acts in each Empresa as in its own.
 * @param id null: an Empresa to be created below the caller's own
 */
export const isAbove = ({ alcance, empresaId }: Pick<Login, 'alcance' | 'empresaId'>, id: number | null): boolean =>
  alcance === 'abaixo' && empresaId !== id

/** The ids to filter a query by, ascending; null: no filter. An empty list matches nothing. */
export const scopeIds = (caller: Login): number[] | null =>
  caller.escopo === 'tudo' ? null : [...caller.escopo].sort((a, b) => a - b)

/** Throws `proibido` unless the caller may write (decisions, Roles: only an `administrador` may). */
export function requireWrite(caller: Login): void {
  if (caller.papel !== 'administrador') throw readOnly(caller)
}

/** Throws `proibido` unless the caller may work on alarms: answer incidentes, silence a camera. */
export function requireWork(caller: Login): void {
  if (caller.papel === 'usuario') throw readOnly(caller)
}

/** Whether the plates of vehicles of this Empresa are hidden from the caller. */
export const hidesPlatesOf = ({ placasOcultas }: Pick<Login, 'placasOcultas'>, empresaId: number): boolean =>
  placasOcultas === 'tudo' || placasOcultas.has(empresaId)

/** Throws `proibido` unless the caller may see plates of vehicles somewhere. A `usuario` never may. */
export function requirePlates({ placasOcultas }: Pick<Login, 'placasOcultas'>): void {
  if (placasOcultas === 'tudo') throw noPlates()
}

/** Throws `proibido` unless the caller may see plates of vehicles of this Empresa. */
export function requirePlatesOf(caller: Pick<Login, 'placasOcultas'>, empresaId: number): void {
  if (hidesPlatesOf(caller, empresaId)) throw noPlates()
}

/**
 * Filter of a list of plates: these Empresas without those whose plates are hidden. @param empresas null: no filter,
 * for the operator, who sees all. Throws `proibido` if none is left.
 */
export function withPlates(caller: Pick<Login, 'placasOcultas'>, empresas: number[] | null): number[] | null {
  const shown = empresas?.filter((id) => !hidesPlatesOf(caller, id)) ?? null
  if (shown?.length === 0 && empresas?.length !== 0) throw noPlates()
  return shown
}

const noPlates = () =>
  new VigiaError('proibido', { detalhe: 'Este login não vê placas de veículos. Fale com o administrador.' })

function readOnly({ chave, papel }: Login): VigiaError {
  const detalhe = chave
    ? 'Esta chave é só de leitura. Use uma chave com escopo de escrita.'
    : papel === 'vigilante'
      ? 'Seu login é de vigilante: atende incidentes e silencia câmeras. Peça isto ao administrador da conta.'
      : 'Seu login é só de leitura. Peça ao administrador da conta.'
  return new VigiaError('proibido', { detalhe })
}

/** Name of the login, quiosque or API key, as answers and silences show it. */
export const callerName = ({ username, chave }: Login): string => chave?.nome ?? username ?? ''

/** Key of the caller in counters and slots: one per login, quiosque or API key. */
export function callerKey({ usuarioId, chave, quiosque }: Login): string {
  if (chave) return `chave:${chave.id}`
  return quiosque ? `quiosque:${quiosque.id}` : `login:${usuarioId}`
}

/** The id of the login. @throws VigiaError `proibido` for a quiosque or an API key. */
export function requireLogin({ usuarioId, quiosque }: Login): number {
  if (usuarioId !== null) return usuarioId
  throw new VigiaError('proibido', {
    detalhe: quiosque
      ? 'Uma tela em modo quiosque não faz isto. Entre com um login.'
      : 'Uma chave de integração não faz isto. Entre com um login.',
  })
}

/** The same answer for a missing record and one out of scope, so that ids of other accounts cannot be probed. */
export const notFound = (detalhe = 'Não encontrado.'): VigiaError => new VigiaError('nao_encontrado', { detalhe })

/** Throws `nao_encontrado` unless `empresaId` is in scope. */
export function requireScope(caller: Login, empresaId: number): void {
  if (!inScope(caller, empresaId)) throw notFound('Empresa não encontrada.')
}
