import type { Me } from '@vigia/contracts/sessoes'
import { findEmpresa } from '../../db/empresas.ts'
import type { Database } from '../../db/open.ts'
import { findUsuario } from '../../db/usuarios.ts'
import { type Caller, notFound, requireLogin, scopeIds } from '../../http/caller.ts'
import { describeFactor } from '../segundo-fator/describe-factor.ts'

/** Describes the login of the caller and the Empresas in its scope. @throws VigiaError `proibido` (an API key). */
export async function describeMe({ db }: { readonly db: Database }, caller: Caller): Promise<Me> {
  const usuario = await findUsuario(db, requireLogin(caller))
  if (!usuario) throw notFound('Login não encontrado.')
  const empresa = caller.empresaId === null ? undefined : await findEmpresa(db, caller.empresaId)
  return {
    id: usuario.id,
    username: usuario.username,
    papel: caller.papel,
    empresa_id: caller.empresaId,
    empresa_nome: empresa?.nome ?? null,
    empresas: scopeIds(caller),
    segundo_fator: await describeFactor(db, usuario),
  }
}
