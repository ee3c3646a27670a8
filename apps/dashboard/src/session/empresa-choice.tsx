import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../api/queries.ts'
import { NameSearch } from '../ui/name-search.tsx'
import { useServices } from './services.ts'

interface EmpresaChoiceProps {
  /** Empresa that the page shows; null: none. */
  readonly id: number | null
  readonly label: string
  /** Name of the choice of none. */
  readonly none: string
}

/** Chooses the Empresa of the whole page, as the header does; empty if there is no other one. */
export function EmpresaChoice({ id, label, none }: EmpresaChoiceProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const navigate = useNavigate()
  const { data: empresas = [] } = useQuery(empresasQuery(api))
  if (empresas.length < 2 && id !== null) return null
  return (
    <NameSearch
      label={label}
      all={none}
      options={empresas}
      value={id ?? undefined}
      missing={t('comum.alcance.outra')}
      onChoose={(empresa) => void navigate({ to: '.', search: { empresa } })}
    />
  )
}
