import { Modal, Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Evento } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { eventoQuery } from '../api/queries.ts'
import { Failure } from '../painel/failure.tsx'
import { useReturnFocus } from '../painel/use-return-focus.ts'
import { useServices } from '../services.ts'
import { textsOfIa } from '../texts/ia-texts.ts'
import classes from './alerta-detail.module.css'
import { AlertaFacts } from './alerta-facts.tsx'
import { AlertaPicture } from './alerta-picture.tsx'
import { FrameMap } from './frame-map.tsx'
import { ReviewButtons } from './review-buttons.tsx'
import { SeverityTag } from './severity-tag.tsx'
import { Verdict } from './verdict.tsx'

/** All data of one alert. It has its own URL, so that a link can be shared and "back" closes it. */
export function AlertaDetail({ id }: { id: number }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const navigate = useNavigate()
  const { alerta: _closed, ...filters } = useSearch({ from: '/painel/' })
  useReturnFocus()
  const phone = useMediaQuery('(max-width: 47.99em)')
  const full = useQuery(eventoQuery(api, id))
  // The data of the list is shown until the detail arrives.
  const listed = queries.getQueriesData<Evento[]>({ queryKey: ['eventos'] }).flatMap(([, list]) => list ?? [])
  const evento = full.data ?? listed.find((one) => one.id === id)
  const close = () => void navigate({ to: '/', search: filters, resetScroll: false })

  return (
    <Modal
      opened
      onClose={close}
      title={evento ? `${textsOfIa(evento.tipo).titulo} · ${evento.camera_nome}` : t('alertas.detalhe.numero', { id })}
      size="60rem"
      fullScreen={phone}
      centered
      closeButtonProps={{ 'aria-label': t('comum.fechar') }}
      classNames={{ title: classes.heading, content: classes.content, header: classes.header }}
      transitionProps={{ duration: 120 }}
    >
      {evento && (
        <div className={classes.columns}>
          <div className={classes.picture}>
            <AlertaPicture evento={evento} eager />
          </div>
          <div className={classes.side}>
            <SeverityTag gravidade={evento.gravidade} />
            <Verdict evento={evento} whole />
            {full.data && me.papel === 'administrador' && <ReviewButtons evento={full.data} />}
            <AlertaFacts evento={evento} revisao={full.data?.revisao ?? null} />
            {evento.caixas.length > 0 && <FrameMap evento={evento} />}
          </div>
        </div>
      )}
      {!evento && full.isPending && <Skeleton height={320} />}
      {!evento && full.error && <Failure error={full.error} onRetry={() => void full.refetch()} />}
    </Modal>
  )
}
