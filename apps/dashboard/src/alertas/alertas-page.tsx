import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { eventosQuery } from '../api/queries.ts'
import { Failure } from '../painel/failure.tsx'
import { ListEnd, useTwoStepList } from '../painel/two-step-list.tsx'
import { usePageTitle } from '../painel/use-page-title.ts'
import { DownNow } from '../quedas/down-now.tsx'
import { useServices } from '../services.ts'
import { AlertaCard } from './alerta-card.tsx'
import { AlertaDetail } from './alerta-detail.tsx'
import { AlertaFilters } from './alerta-filters.tsx'
import { MAX_ALERTAS } from './alerta-list.ts'
import classes from './alertas-page.module.css'
import { AlertasSkeleton } from './alertas-skeleton.tsx'
import { NoAlertas } from './no-alertas.tsx'

/** Number of alerts fetched at first, and after "ver mais antigos". */
const STEPS = [48, MAX_ALERTAS] as const

/** Start page: the live list of alerts, newest first. */
export function AlertasPage() {
  const { t } = useTranslation()
  const { api, recent } = useServices()
  const search = useSearch({ from: '/painel/' })
  const filtro = {
    empresa: search.empresa ?? null,
    camera: search.camera ?? null,
    veredito: search.veredito ?? null,
    refutados: search.refutados ?? false,
  }
  const list = useTwoStepList(STEPS, (limite) => eventosQuery(api, recent, filtro, limite))
  const { data, error, refetch, isPlaceholderData } = list
  usePageTitle(t('alertas.titulo'))

  return (
    <>
      <div className={classes.top}>
        <h1>{t('alertas.titulo')}</h1>
        <AlertaFilters />
      </div>
      <DownNow />
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <AlertasSkeleton />}
      {data?.length === 0 && <NoAlertas />}
      {data && data.length > 0 && (
        <>
          <ul className={classes.list} aria-label={t('alertas.lista')} aria-busy={isPlaceholderData}>
            {data.map((evento) => (
              <li key={evento.id}>
                <AlertaCard evento={evento} />
              </li>
            ))}
          </ul>
          <ListEnd
            end={list.end}
            label={t('alertas.verMais')}
            limitReached={t('alertas.limite', { total: MAX_ALERTAS })}
          />
        </>
      )}
      {search.alerta !== undefined && <AlertaDetail id={search.alerta} />}
    </>
  )
}
