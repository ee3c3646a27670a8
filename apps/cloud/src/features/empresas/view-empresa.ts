import type { Empresa } from '@vigia/contracts/empresas'
import type { EmpresaRow } from './store.ts'

export const viewEmpresa = (row: EmpresaRow): Empresa => ({
  id: row.id,
  nome: row.nome,
  empresa_pai_id: row.empresa_pai_id,
  fuso_horario: row.fuso_horario,
  limite_cameras: row.limite_cameras,
  ...(row.host !== null && { host: row.host }),
  criada_em: new Date(row.criada_em).toISOString(),
})
