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
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
import { ListEndNote } from '../../../ui/more.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { RecordList } from '../../../ui/record.tsx'
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
      <PageHead>
        <h1>{t('pendencias.titulo')}</h1>
        {data && data.length > 1 && (
          <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate(data.map(({ id }) => id))}>
            {t('pendencias.repetirTodas')}
          </Button>
        )}
      </PageHead>
      <p className={classes.intro}>{t('pendencias.texto')}</p>
      {failure && <p role="alert">{failure}</p>}
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardsSkeleton />}
      {data?.length === 0 && (
        <Notice
          icon={<IconCircleCheck size={32} />}
          title={t('pendencias.vazio.titulo')}
          text={t('pendencias.vazio.texto')}
        />
      )}
      {data && data.length > 0 && (
        <RecordList aria-label={t('pendencias.titulo')}>
          {data.map((pendencia) => (
            <PendenciaCard
              key={pendencia.id}
              pendencia={pendencia}
              busy={retry.isPending}
              onRetry={() => retry.mutate([pendencia.id])}
            />
          ))}
        </RecordList>
      )}
      {data?.length === MAX_PENDENCIAS && (
        <ListEndNote>{t('pendencias.limite', { total: MAX_PENDENCIAS })}</ListEndNote>
      )}
      <WaitingEventos empresa={empresa ?? null} />
    </>
  )
}
