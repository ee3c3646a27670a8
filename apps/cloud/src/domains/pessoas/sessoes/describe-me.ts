import type { Me } from '@vigia/contracts/sessoes'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { findUsuario } from '../../../db/usuarios.ts'
import { type Caller, notFound, requireLogin, scopeIds } from '../../../http/caller.ts'
import { describeFactor } from '../segundo-fator/describe-factor.ts'

/** Describes the login or the quiosque of the caller. @throws VigiaError `proibido` (an API key). */
export async function describeMe({ db }: { readonly db: Database }, caller: Caller): Promise<Me> {
  const empresa = caller.empresaId === null ? undefined : await findEmpresa(db, caller.empresaId)
  return {
    ...(caller.quiosque ? screenOf(caller) : await loginOf(db, caller)),
    papel: caller.papel,
    empresa_id: caller.empresaId,
    empresa_nome: empresa?.nome ?? null,
    alcance: caller.alcance,
    empresas: scopeIds(caller),
    ve_placas: caller.placasOcultas !== 'tudo',
    sessao: caller.sessao
      ? {
          expira_em: new Date(caller.sessao.expiraEm).toISOString(),
          renova_ate: new Date(caller.sessao.renovaAte).toISOString(),
          quiosque: caller.quiosque ?? null,
        }
      : null,
  }
}

type Owner = Pick<Me, 'id' | 'username' | 'segundo_fator'>

async function loginOf(db: Database, caller: Caller): Promise<Owner> {
  const usuario = await findUsuario(db, requireLogin(caller))
  if (!usuario) throw notFound('Login não encontrado.')
  const { id, username } = usuario
  return { id, username, segundo_fator: await describeFactor(db, usuario) }
}

const screenOf = ({ username }: Caller): Owner => ({
  id: null,
  username: username ?? '',
  segundo_fator: { ligado: false, exigido: false, codigos_restantes: 0 },
})
