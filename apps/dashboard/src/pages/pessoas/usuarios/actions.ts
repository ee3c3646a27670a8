import type { Me } from '@vigia/contracts/sessoes'
import type { Usuario } from '@vigia/contracts/usuarios'
import { isAbove } from '../../../session/own-empresa.ts'

export type Acao = 'redefinir' | 'desativar' | 'ativar' | 'remover'

/**
 * Actions that the API allows `me` on a login. The own login is changed in Minha conta. The second factor of an
 * administrador is reset from an Empresa above, and that of an operator on the machine.
 */
export function actionsOn(me: Me, { id, papel, empresa_id, ativo, segundo_fator }: Usuario): Acao[] {
  if (id === me.id) return []
  const above = papel !== 'administrador' || isAbove(me, empresa_id)
  return [
    ...(segundo_fator && empresa_id !== null && above ? ['redefinir' as const] : []),
    ativo ? 'desativar' : 'ativar',
    'remover',
  ]
}
