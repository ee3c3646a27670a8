import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type Pendencia, pendenciasRepetidasSchema } from '@vigia/contracts/pendencias'
import { useTranslation } from 'react-i18next'
import { MAX_PENDENCIAS, pendenciasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import page from '../../../ui/cameras-page.module.css'
import { CamerasSkeleton } from '../../../ui/cameras-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import more from '../../../ui/more.module.css'
import { Notice } from '../../../ui/notice.tsx'
import quedas from '../../../ui/quedas.module.css'
import { PendenciaCard } from './pendencia-card.tsx'
import classes from './pendencias.module.css'
import { WaitingEventos } from './waiting-eventos.tsx'

/** Stopped work items with their reasons and a retry button. */
export function PendenciasPage() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { empresa } = useSearch({ from: '/painel' })
  const { data, error, refetch } = useQuery(pendenciasQuery(api, empresa ?? null))
  usePageTitle(t('pendencias.titulo'))
  const retry = useMutation({
    mutationFn: (ids: number[]) => api.send('POST', '/pendencias/repetir', { ids }, pendenciasRepetidasSchema),
    onSuccess({ ids }, asked) {
      queries.setQueriesData<Pendencia[]>({ queryKey: ['pendencias'] }, (list) =>
        list?.filter(({ id }) => !asked.includes(id)),
      )
      announce(t('pendencias.anuncio', { count: ids.length }))
    },
  })
  const failure = retry.error ? formErrors(retry.error, []).general : null
  return (
    <>
      <div className={page.top}>
        <h1>{t('pendencias.titulo')}</h1>
        {data && data.length > 1 && (
          <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate(data.map(({ id }) => id))}>
            {t('pendencias.repetirTodas')}
          </Button>
        )}
      </div>
      <p className={classes.intro}>{t('pendencias.texto')}</p>
      {failure && <p role="alert">{failure}</p>}
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CamerasSkeleton />}
      {data?.length === 0 && (
        <Notice
          icon={<IconCircleCheck size={32} />}
          title={t('pendencias.vazio.titulo')}
          text={t('pendencias.vazio.texto')}
        />
      )}
      {data && data.length > 0 && (
        <ul className={quedas.list} aria-label={t('pendencias.titulo')}>
          {data.map((pendencia) => (
            <PendenciaCard
              key={pendencia.id}
              pendencia={pendencia}
              busy={retry.isPending}
              onRetry={() => retry.mutate([pendencia.id])}
            />
          ))}
        </ul>
      )}
      {data?.length === MAX_PENDENCIAS && (
        <p className={more.more}>{t('pendencias.limite', { total: MAX_PENDENCIAS })}</p>
      )}
      <WaitingEventos empresa={empresa ?? null} />
    </>
  )
}
