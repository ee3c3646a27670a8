import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Empresa } from '@vigia/contracts/empresas'
import { empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { NOVA_EMPRESA } from './camera-form.ts'
import { createEmpresa } from './create-empresa.ts'

export type CampoDono = 'empresa_id' | 'empresa_nome'
export type Owner = ReturnType<typeof useOwner>

/**
 * The Empresa of a new record: the administrator's own, the operator's choice, or a new Empresa.
 * @param creates whether the operator may create the Empresa in the same form
 */
export function useOwner({ creates }: { creates: boolean }) {
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  // The list must contain an Empresa that another login has just created.
  const { data: empresas, isFetchedAfterMount } = useQuery({ ...empresasQuery(api), refetchOnMount: 'always' })
  const operator = me.empresa_id === null
  // The end of a demonstration deletes everything in it.
  const lasting = empresas?.filter(({ demonstracao }) => !demonstracao)
  return {
    /** Whether the login belongs to no Empresa and must choose one. */
    operator,
    mayCreate: operator && creates,
    empresas: lasting ?? [],
    /** The default choice; none while the list may be outdated. */
    obvious: String(
      lasting?.find(({ id }) => id === empresa)?.id ??
        me.empresa_id ??
        obviousEmpresa(isFetchedAfterMount ? lasting : undefined, creates),
    ),
    /** Returns the id to send. Creates the Empresa if requested, and writes its id into the form. */
    async settle({ values, set }: ApiForm<CampoDono>): Promise<string> {
      if (values.empresa_id !== NOVA_EMPRESA) return values.empresa_id
      const created = String((await createEmpresa(api, values.empresa_nome)).id)
      await queries.invalidateQueries({ queryKey: ['empresas'] })
      // If a later request fails, the next attempt must not create the Empresa again.
      set('empresa_id', created)
      return created
    },
  }
}

/** Without an Empresa the first one is created; a single Empresa is the default. */
function obviousEmpresa(empresas: readonly Empresa[] | undefined, creates: boolean): string {
  if (creates && empresas?.length === 0) return NOVA_EMPRESA
  return empresas?.length === 1 ? String(empresas[0]?.id) : ''
}
