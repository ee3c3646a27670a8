import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useRouteContext, useSearch } from '@tanstack/react-router'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { camerasQuery, eventoQuery, vizinhosEventoQuery } from '../../../api/queries.ts'
import { AlertaFacts } from '../../../domains/eventos/alertas/alerta-facts.tsx'
import { ReviewButtons } from '../../../domains/eventos/alertas/review-buttons.tsx'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { Verdict } from '../../../domains/eventos/alertas/verdict.tsx'
import { EventoFrame } from '../../../domains/eventos/incidentes/evento-frame.tsx'
import { ExportLink } from '../../../domains/eventos/incidentes/export-link.tsx'
import { Neighbours } from '../../../domains/eventos/incidentes/neighbours.tsx'
import { PlateFacts } from '../../../domains/eventos/incidentes/plate-facts.tsx'
import { plateOf } from '../../../domains/eventos/incidentes/plate-of.ts'
import { EventoHold } from '../../../domains/eventos/retencao/evento-hold.tsx'
import { EventoClip } from '../../../domains/video/clipes/evento-clip.tsx'
import { GravadorLink } from '../../../domains/video/clipes/gravador-link.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Column } from '../../../ui/layout.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { Badge } from '../../../ui/tag.tsx'
import { Evidencias } from './evidencias.tsx'
import classes from './incidente-page.module.css'

/** One event with its picture, verdict and measurements, at its own address. */
export function EventoPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { id } = useParams({ from: '/painel/eventos/$id' })
  const { data, error, refetch } = useQuery(eventoQuery(api, id))
  usePageTitle(t('plantao.evento.titulo', { id }))
  if (data) return <Content key={id} evento={data} />
  return (
    <>
      <h1 className={classes.title}>{t('plantao.evento.titulo', { id })}</h1>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton height={320} />}
    </>
  )
}

function Content({ evento }: { evento: EventoDetalhe }) {
  const { t } = useTranslation()
  const { api, settings } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa = null } = useSearch({ from: '/painel' })
  const navigate = useNavigate()
  const { nome } = useEmpresa(evento.empresa_id)
  const { data: cameras } = useQuery(camerasQuery(api, empresa))
  const { data: neighbours } = useQuery(vizinhosEventoQuery(api, evento))
  const camera = cameras?.find(({ id }) => id === evento.camera_id)
  const open = (id: number | null | undefined) => {
    if (id) void navigate({ to: '/eventos/$id', params: { id } })
  }
  useShortcuts(settings, {
    arrowleft: () => open(neighbours?.older),
    arrowright: () => open(neighbours?.newer),
  })
  return (
    <Column gap={11} as="article">
      <div className={classes.head}>
        <SeverityTag gravidade={evento.gravidade} />
        <h1 className={classes.title}>{textsOfIa(evento.tipo).titulo}</h1>
        {evento.prova && <Badge>{t('alertas.prova')}</Badge>}
        <PlateFacts placa={plateOf(evento)} />
        <span className={`${classes.where} ${classes.short}`}>
          {[evento.camera_nome, nome].filter(Boolean).join(' · ')}
        </span>
        <Neighbours
          older={neighbours?.older ?? null}
          newer={neighbours?.newer ?? null}
          olderText={t('plantao.evento.anterior')}
          newerText={t('plantao.evento.seguinte')}
          onOpen={open}
        />
        <ExportLink path={`/events/${evento.id}`} />
      </div>
      <div className={classes.columns}>
        <div className={classes.picture}>
          <EventoFrame evento={evento} zonas={camera?.zonas ?? []} />
          <EventoClip id={evento.id} />
          {camera && <GravadorLink cameraId={camera.id} iso={evento.ocorrido_em} />}
          <Evidencias evento={evento} />
        </div>
        <div className={classes.side}>
          <Verdict evento={evento} whole />
          {me.papel === 'administrador' && <ReviewButtons evento={evento} />}
          <EventoHold evento={evento} mayChange={me.papel === 'administrador'} />
          <AlertaFacts evento={evento} revisao={evento.revisao} camera={camera} />
        </div>
      </div>
      {evento.incidente_id !== null && (
        <Link to="/incidentes/$id" params={{ id: evento.incidente_id }} className={classes.back}>
          {t('plantao.evento.doIncidente')}
        </Link>
      )}
    </Column>
  )
}
