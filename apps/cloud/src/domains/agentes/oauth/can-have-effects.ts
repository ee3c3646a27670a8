import type { EscopoOauth } from '@vigia/contracts/oauth'
import type { Papel } from '@vigia/contracts/usuarios'

/** Whether the consent page offers the effects: only an administrador has routes with one. */
export const canHaveEffects = (papel: Papel, escopo: EscopoOauth): boolean =>
  papel === 'administrador' && escopo === 'mcp'
