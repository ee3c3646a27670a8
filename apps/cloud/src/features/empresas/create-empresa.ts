import { type Empresa, type EmpresaCreate, FUSO_PADRAO, LIMITE_CAMERAS_PADRAO } from '@vigia/contracts/empresas'
import type { Clock } from '../../adapters/clock.ts'
import type { Database } from '../../db/open.ts'
import { type Caller, requireWrite } from '../../http/caller.ts'
import { insertEmpresa } from './store.ts'
import { viewEmpresa } from './view-empresa.ts'

/** A new Empresa below the caller's own; below none when the operator makes it. */
export async function createEmpresa(
  deps: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  input: EmpresaCreate,
): Promise<Empresa> {
  requireWrite(caller)
  const row = await insertEmpresa(deps.db, {
    nome: input.nome,
    empresa_pai_id: caller.empresaId,
    fuso_horario: input.fuso_horario ?? FUSO_PADRAO,
    limite_cameras: LIMITE_CAMERAS_PADRAO,
    criada_em: deps.clock.now(),
  })
  return viewEmpresa(row)
}
