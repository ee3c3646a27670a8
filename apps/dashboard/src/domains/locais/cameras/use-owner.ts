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
 * The Empresa of a new record: the chosen one of the page, the login's own, or a new Empresa.
 * @param creates whether the operator may create the Empresa in the same form
 */
export function useOwner({ creates }: { creates: boolean }) {
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa: chosen } = useSearch({ from: '/painel' })
  // The list must contain an Empresa that another login has just created.
  const { data: empresas, isFetchedAfterMount } = useQuery({ ...empresasQuery(api), refetchOnMount: 'always' })
  // The end of a demonstration deletes everything in it.
  const lasting = empresas?.filter(({ demonstracao }) => !demonstracao)
  return {
    mayCreate: me.empresa_id === null && me.papel === 'administrador' && creates,
    empresas: lasting ?? [],
    /** Name of the demonstration that the page shows, which gets no records of a customer. */
    demonstracao: empresas?.find(({ id, demonstracao }) => demonstracao && id === chosen)?.nome ?? null,
    /** The default choice; none while the list may be outdated. */
    obvious: obviousOwner({
      own: me.empresa_id,
      chosen,
      empresas:
        isFetchedAfterMount || lasting?.some(({ id }) => id === (chosen ?? me.empresa_id)) ? lasting : undefined,
      creates,
    }),
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

interface OwnerChoice {
  /** Empresa of the login; null: none. */
  readonly own: number | null
  /** Empresa that the page shows; undefined: all. */
  readonly chosen: number | undefined
  /** Empresas that a new record may have; undefined: not known yet. */
  readonly empresas: readonly Pick<Empresa, 'id'>[] | undefined
  readonly creates: boolean
}

/**
 * Value of the field. A chosen Empresa that may not have the record is replaced by no other one: the person decides.
 * Without any Empresa the first one is created.
 */
export function obviousOwner({ own, chosen, empresas, creates }: OwnerChoice): string {
  if (empresas === undefined) return ''
  if (creates && empresas.length === 0) return NOVA_EMPRESA
  const wanted = chosen ?? own ?? (empresas.length === 1 ? empresas[0]?.id : undefined)
  return empresas.some(({ id }) => id === wanted) ? String(wanted) : ''
}
