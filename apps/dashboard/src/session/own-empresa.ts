import type { Me } from '@vigia/contracts/sessoes'

/** The Empresa of the login if its reach has it; null: none, or the reach is a list of others. */
export const ownEmpresa = ({ empresa_id, empresas }: Pick<Me, 'empresa_id' | 'empresas'>): number | null =>
  empresa_id !== null && empresas?.includes(empresa_id) ? empresa_id : null

/** Whether the login administers this Empresa from above, as the cloud decides it. */
export const isAbove = ({ alcance, empresa_id }: Pick<Me, 'alcance' | 'empresa_id'>, id: number | null): boolean =>
  alcance === 'abaixo' && empresa_id !== id
