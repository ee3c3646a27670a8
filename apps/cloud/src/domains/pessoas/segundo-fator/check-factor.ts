import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import { hashActivationCode } from '../../../adapters/one-time-code.ts'
import type { FailureLimit } from '../../../adapters/rate-limits/interface.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import type { Database } from '../../../db/open.ts'
import type { UsuarioRow } from '../../../db/rows.ts'
import { useRecoveryCode, useStep } from './store.ts'
import { fromBase32, matchingStep } from './totp.ts'

export interface CheckFactorDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  /** Wrong codes of an authenticator app. */
  readonly codeLimit: FailureLimit
  /** Wrong recovery codes. */
  readonly recoveryLimit: FailureLimit
}

/** Kind of the used second factor; null: the login has none. */
export type Fator = 'aplicativo' | 'recuperacao' | null

/**
 * Checks the second factor of a login after its password, and consumes the code.
 * @param typed code as typed; spaces, dashes and case are ignored
 * @throws VigiaError `nao_autenticado` with `segundoFator` when the code is missing or wrong; `muitas_requisicoes`
 */
export async function checkFactor(
  deps: CheckFactorDeps,
  usuario: UsuarioRow,
  typed: string | undefined,
  address: string,
): Promise<Fator> {
  if (usuario.segundo_fator_ativo === 0) return null
  const code = (typed ?? '').replace(/[\s-]/g, '')
  if (code === '') throw refusal('Digite o código do seu aplicativo autenticador, ou um código de recuperação.')
  const isTotp = /^\d{1,8}$/.test(code)
  const limit = isTotp ? deps.codeLimit : deps.recoveryLimit
  await limit.guard(`login:${usuario.id}`, address, async () => {
    const good = isTotp ? await takesTotp(deps, usuario, code) : await takesRecovery(deps, usuario, code)
    if (!good) throw refusal('Código incorreto ou já usado. Espere o próximo código do aplicativo e tente outra vez.')
  })
  return isTotp ? 'aplicativo' : 'recuperacao'
}

const refusal = (detalhe: string) => new VigiaError('nao_autenticado', { detalhe, segundoFator: true })

async function takesTotp({ db, clock, box }: CheckFactorDeps, usuario: UsuarioRow, code: string): Promise<boolean> {
  const step = matchingStep(openSecret(box, usuario), code, clock.now())
  return step !== null && useStep(db, usuario.id, step)
}

async function takesRecovery({ db }: CheckFactorDeps, { id }: UsuarioRow, code: string): Promise<boolean> {
  const hash = hashActivationCode(code)
  return hash !== null && useRecoveryCode(db, id, hash)
}

/** The decrypted secret of the login, confirmed or not. @throws Error when it cannot be decrypted */
export const openSecret = (box: SecretBox, { id, segundo_fator_cifrado }: UsuarioRow): Buffer =>
  fromBase32(box.open(segundo_fator_cifrado ?? '', secretPurposes.segundoFator(id)))
