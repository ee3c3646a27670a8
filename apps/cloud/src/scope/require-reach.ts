import type { Alcance } from '@vigia/contracts/alcance'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { Papel } from '@vigia/contracts/usuarios'
import { packAlcance, type Reaching, unpackAlcance } from '../db/alcance.ts'
import { livingIds } from '../db/empresas.ts'
import type { Database } from '../db/open.ts'
import { inScope, type Login, notFound } from '../http/caller.ts'

type Giver = Pick<Login, 'escopo' | 'alcance'>

/**
 * Whether the reach is one that the caller may give. `abaixo` also has the Empresas that are created later, so that
 * only a caller with `abaixo` gives it.
 */
export function isWithin(caller: Giver, { papel, empresa_id, alcance }: Reaching): boolean {
  if (caller.escopo === 'tudo') return true
  const reach = unpackAlcance(alcance, papel)
  if (typeof reach !== 'string') return reach.every((id) => inScope(caller, id))
  if (reach === 'abaixo' && caller.alcance !== 'abaixo') return false
  return empresa_id !== null && inScope(caller, empresa_id)
}

interface Wanted {
  readonly papel: Papel
  /** In the caller's scope. */
  readonly empresa_id: number | null
  /** undefined: the default of the papel, within the reach of the caller. */
  readonly alcance: Alcance | undefined
}

/**
 * The stored form of a new reach; null: the default of the papel.
 * @throws VigiaError `nao_encontrado` (an Empresa of the list is missing or out of scope); `proibido` (beyond the reach
 * of the caller); `validacao` (`requireFits`)
 */
export async function requireReach(db: Database, caller: Giver, wanted: Wanted): Promise<string | null> {
  const { papel, empresa_id, alcance } = wanted
  if (alcance === undefined) return isWithin(caller, { papel, empresa_id, alcance: null }) ? null : 'propria'
  if (empresa_id === null) requireFits(papel, alcance)
  if (typeof alcance !== 'string') {
    const living = await livingIds(db, alcance)
    if (!alcance.every((id) => living.has(id) && inScope(caller, id))) throw notFound('Empresa não encontrada.')
  }
  const stored = packAlcance(alcance)
  if (!isWithin(caller, { papel, empresa_id, alcance: stored })) throw beyond()
  return stored
}

/**
 * A login without an Empresa is the operator with the whole installation, or has a list.
 * @throws VigiaError `validacao`
 */
export function requireFits(papel: Papel, alcance: Alcance): void {
  const fits = papel === 'administrador' ? alcance === 'abaixo' : alcance !== 'abaixo'
  if (!fits)
    throw invalid(
      ['body', 'alcance'],
      papel === 'administrador'
        ? 'Um administrador sem Empresa é o operador e alcança tudo: use "abaixo", ou escolha uma Empresa para ele'
        : 'Um login sem Empresa alcança uma lista: diga quais Empresas',
      'value_error',
    )
}

/** @throws VigiaError `proibido`: the login has Empresas that the caller has not, and would give it access to them */
export function requireOver(caller: Giver, login: Reaching): void {
  if (!isWithin(caller, login)) throw beyondLogin()
}

const beyond = () =>
  new VigiaError('proibido', {
    detalhe: 'Este alcance é maior que o seu. Escolha Empresas que você alcança, ou peça a quem administra a conta.',
  })

const beyondLogin = () =>
  new VigiaError('proibido', {
    detalhe: 'Este login alcança Empresas que você não alcança. Peça a mudança a quem administra a conta acima.',
  })
