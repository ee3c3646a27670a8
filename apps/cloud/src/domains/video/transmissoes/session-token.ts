import { VigiaError } from '@vigia/contracts/errors'
import type { RequestInfo } from '../../../http/route.ts'

/**
 * The session token of a viewer.
 * @throws VigiaError `nao_autenticado`
 */
export function tokenOf({ token }: RequestInfo): string {
  if (token === null) throw new VigiaError('nao_autenticado', { detalhe: 'Entre para continuar.' })
  return token
}
