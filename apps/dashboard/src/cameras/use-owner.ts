import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Empresa } from '@vigia/contracts/empresas'
import { empresasQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import { NOVA_EMPRESA } from './camera-form.ts'
import { createEmpresa } from './create-empresa.ts'

/** Whose a new camera or recorder is to be: an administrator's own, what the operator chooses, or an Empresa yet to be made. */
export function useOwner() {
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  // An Empresa that somebody else has just made must be there to choose.
  const { data: empresas } = useQuery({ ...empresasQuery(api), refetchOnMount: 'always' })
  const operator = me.empresa_id === null
  return {
    /** Belongs to no Empresa, and so must name one. */
    operator,
    empresas: empresas ?? [],
    initial: empresa ?? me.empresa_id,
    /** What is chosen while the person has not chosen. */
    obvious: obviousEmpresa(operator ? empresas : undefined),
    /** The id to send: creates the Empresa where that is wanted, and then puts its id into the form by `change`. */
    async settle(
      form: { readonly empresa_id: string; readonly empresa_nome: string },
      change: (field: 'empresa_id', value: string) => void,
    ): Promise<string> {
      if (form.empresa_id !== NOVA_EMPRESA) return form.empresa_id
      const created = String((await createEmpresa(api, form.empresa_nome)).id)
      await queries.invalidateQueries({ queryKey: ['empresas'] })
      // Should what follows be refused, the next attempt must not create the Empresa again.
      change('empresa_id', created)
      return created
    },
  }
}

/** The operator's first camera needs its first Empresa; the only one there is chooses itself. */
function obviousEmpresa(empresas: readonly Empresa[] | undefined): string {
  if (empresas?.length === 0) return NOVA_EMPRESA
  return empresas?.length === 1 ? String(empresas[0]?.id) : ''
}
