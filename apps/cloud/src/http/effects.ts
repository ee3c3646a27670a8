import { type Efeito, efeitos, textoEfeito } from '@vigia/contracts/efeitos'
import { VigiaError } from '@vigia/contracts/errors'
import type { Caller, Login } from './caller.ts'

/**
 * Effect of a route. null: none. `so_login`: none, but it concerns logins, their access or settings of the
 * installation, or moves something in the world, so that no key reaches it. A list: the use case decides by the change
 * that is asked for (`requireEffect`), and names only these effects.
 */
export type Declared = null | 'so_login' | Efeito | readonly [Efeito, ...Efeito[]]

/** Effects that a person reaches: all that the role allows. */
export const everyEffect: ReadonlySet<Efeito> = new Set(efeitos)
/** Effects of a key. */
export const noEffect: ReadonlySet<Efeito> = new Set()

interface Declaring {
  readonly efeito: Declared
  readonly resumo: string
}

export const isEffect = (declared: Declared): declared is Efeito => efeitos.some((one) => one === declared)

/** Whether the value is a declaration, for a route that no compiler checked. */
export const isDeclared = (value: unknown): boolean =>
  value === null || value === 'so_login' || [value].flat().every((one) => efeitos.some((known) => known === one))

/** Whether an API key may call the route. Its scope and role are checked later, as for a login. */
export const keyMayCall = ({ efeito }: Pick<Declaring, 'efeito'>): boolean => efeito !== 'so_login' && !isEffect(efeito)

/**
 * Checks the effect of a route before its handler.
 * @throws VigiaError `proibido`: a key at a route for logins, or a key or an agent without the effect
 */
export function requireDeclaredEffect({ efeito, resumo }: Declaring, caller: Caller): void {
  if (caller.chave && efeito === 'so_login')
    throw new VigiaError('proibido', {
      detalhe: `“${resumo}”: uma chave de integração não faz isto. Entre no painel com um login.`,
    })
  if (isEffect(efeito)) requireEffect(caller, efeito, `“${resumo}”`)
}

/**
 * Checks the effect of the asked change. A person always passes.
 * @param acao Portuguese name of the change, the begin of the sentence
 * @throws VigiaError `proibido`: a key, or an agent that no person allowed this effect
 */
export function requireEffect({ efeitos, chave }: Pick<Login, 'efeitos' | 'chave'>, efeito: Efeito, acao: string) {
  if (efeitos.has(efeito)) return
  const { titulo } = textoEfeito[efeito]
  const detalhe = chave
    ? `${acao}: uma chave de integração não faz isto (${titulo.toLowerCase()}). Entre no painel com um login.`
    : `${acao}: este agente não tem a permissão “${titulo}”. Quem o autorizou precisa conectá-lo de novo e marcar ` +
      'essa permissão na página de autorização, ou fazer isto no painel.'
  throw new VigiaError('proibido', { detalhe })
}
