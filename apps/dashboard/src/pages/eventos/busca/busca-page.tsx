import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Chip, Chips } from '../../../ui/chips.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { BuscaFilters } from './busca-filters.tsx'
import { alvos } from './busca-query.ts'
import { BuscaResults } from './busca-results.tsx'
import type { Destination } from './understood-chips.tsx'

/** Search of incidentes and eventos. The URL holds the search, so that it can be shared. */
export function BuscaPage() {
  const { t } = useTranslation()
  const { em } = useSearch({ from: '/painel/busca' })
  const [destination, setDestination] = useState<Destination | null>(null)
  usePageTitle(t('busca.titulo'))
  return (
    <>
      <PageHead>
        <h1>{t('busca.titulo')}</h1>
        <Chips aria-label={t('busca.em')}>
          {alvos.map((alvo) => (
            <Chip
              key={alvo}
              to="/busca"
              search={(now) => ({ ...now, em: alvo === 'eventos' ? alvo : undefined })}
              replace
              aria-current={(em ?? 'incidentes') === alvo ? 'page' : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
            >
              {t(`busca.${alvo}`)}
            </Chip>
          ))}
        </Chips>
      </PageHead>
      <BuscaFilters destination={destination} />
      <BuscaResults onChange={setDestination} />
    </>
  )
}
