import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePageTitle } from '../../../session/use-page-title.ts'
import page from '../../../ui/cameras-page.module.css'
import chips from '../../../ui/status-filter.module.css'
import { BuscaFilters } from './busca-filters.tsx'
import { alvos } from './busca-query.ts'
import { BuscaResults } from './busca-results.tsx'

/** Search of incidentes and eventos. The URL holds the search, so that it can be shared. */
export function BuscaPage() {
  const { t } = useTranslation()
  const { em } = useSearch({ from: '/painel/busca' })
  usePageTitle(t('busca.titulo'))
  return (
    <>
      <div className={page.top}>
        <h1>{t('busca.titulo')}</h1>
        <nav className={chips.filter} aria-label={t('busca.em')}>
          {alvos.map((alvo) => (
            <Link
              key={alvo}
              to="/busca"
              search={(now) => ({ ...now, em: alvo === 'eventos' ? alvo : undefined })}
              replace
              className={chips.chip}
              aria-current={(em ?? 'incidentes') === alvo ? 'page' : undefined}
              activeProps={{}}
            >
              {t(`busca.${alvo}`)}
            </Link>
          ))}
        </nav>
      </div>
      <BuscaFilters />
      <BuscaResults />
    </>
  )
}
