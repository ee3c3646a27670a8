import type { Me } from '@vigia/contracts/sessoes'

/** The role on the screen: the operator is an `administrador` without an Empresa. */
export const papelNaTela = ({ papel, empresa_id }: Pick<Me, 'papel' | 'empresa_id'>) =>
  papel === 'administrador' && empresa_id === null ? 'operador' : papel
