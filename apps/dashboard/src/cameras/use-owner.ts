import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Empresa } from '@vigia/contracts/empresas'
import { empresasQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import { NOVA_EMPRESA } from './camera-form.ts'
import { createEmpresa } from './create-empresa.ts'

/** The Empresa of a new camera or gravador: the administrator's own, the operator's choice, or a new Empresa. */
export function useOwner() {
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  // The list must contain an Empresa that another login has just created.
  const { data: empresas } = useQuery({ ...empresasQuery(api), refetchOnMount: 'always' })
  const operator = me.empresa_id === null
  return {
    /** Whether the login belongs to no Empresa and must choose one. */
    operator,
    empresas: empresas ?? [],
    initial: empresa ?? me.empresa_id,
    /** The default choice. */
    obvious: obviousEmpresa(operator ? empresas : undefined),
    /** Returns the id to send. Creates the Empresa if requested, and writes its id into the form with `change`. */
    async settle(
      form: { readonly empresa_id: string; readonly empresa_nome: string },
      change: (field: 'empresa_id', value: string) => void,
    ): Promise<string> {
      if (form.empresa_id !== NOVA_EMPRESA) return form.empresa_id
      const created = String((await createEmpresa(api, form.empresa_nome)).id)
      await queries.invalidateQueries({ queryKey: ['empresas'] })
      // If a later request fails, the next attempt must not create the Empresa again.
      change('empresa_id', created)
      return created
    },
  }
}

/** Without an Empresa the first one is created; a single Empresa is the default. */
function obviousEmpresa(empresas: readonly Empresa[] | undefined): string {
  if (empresas?.length === 0) return NOVA_EMPRESA
  return empresas?.length === 1 ? String(empresas[0]?.id) : ''
}
