import { useQuery } from '@tanstack/react-query'
import type { Alcance } from '@vigia/contracts/alcance'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../api/queries.ts'
import { useServices } from './services.ts'

/** Names in the text of a list. */
const NAMED = 3

/** Describes a reach by the names of its Empresas. */
export function useAlcanceText(): (reach: { readonly alcance: Alcance; readonly empresa_id: number | null }) => string {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data } = useQuery(empresasQuery(api))
  const nameOf = (id: number) => data?.find((one) => one.id === id)?.nome ?? t('comum.alcance.outra')
  return ({ alcance, empresa_id }) => {
    if (typeof alcance === 'string') {
      if (empresa_id === null) return t(alcance === 'abaixo' ? 'comum.alcance.tudo' : 'comum.alcance.nenhuma')
      return alcance === 'abaixo' ? t('comum.alcance.comAbaixo', { nome: nameOf(empresa_id) }) : nameOf(empresa_id)
    }
    if (alcance.length === 0) return t('comum.alcance.perdida')
    const nomes = alcance.slice(0, NAMED).map(nameOf).join(', ')
    const rest = alcance.length - NAMED
    return rest > 0 ? t('comum.alcance.mais', { nomes, count: rest }) : nomes
  }
}
