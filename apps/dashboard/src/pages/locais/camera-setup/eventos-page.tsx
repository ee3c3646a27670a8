import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Evento } from '@vigia/contracts/eventos'
import { useTranslation } from 'react-i18next'
import { AlertaTime } from '../../../domains/eventos/alertas/alerta-time.tsx'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { Verdict } from '../../../domains/eventos/alertas/verdict.tsx'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { ListEnd, useTwoStepList } from '../../../ui/two-step-list.tsx'
import { eventosQuery } from './camera-queries.ts'
import { EventoPicture } from './evento-picture.tsx'
import classes from './eventos-page.module.css'

/** Largest number of events on the page. */
const MAX_EVENTOS = 200
/** Number of events fetched at first, and after "ver mais antigos". */
const STEPS = [48, MAX_EVENTOS] as const

/** The events of the camera, newest first, also refuted ones. */
export function EventosPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { id } = useCamera()
  const list = useTwoStepList(STEPS, (limite) => eventosQuery(api, id, limite))
  const { data, error, refetch } = list
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} radius="md" aria-busy="true" />
  if (data.length === 0) return <p>{t('camera.eventos.nenhum')}</p>
  return (
    <>
      <ul className={classes.list} aria-label={t('camera.abas.eventos')} aria-busy={list.isPlaceholderData}>
        {data.map((evento) => (
          <EventoItem key={evento.id} evento={evento} />
        ))}
      </ul>
      <ListEnd
        end={list.end}
        label={t('camera.eventos.verMais')}
        limitReached={t('camera.eventos.limite', { total: MAX_EVENTOS })}
      />
    </>
  )
}

function EventoItem({ evento }: { evento: Evento }) {
  const { t } = useTranslation()
  const { fuso } = useEmpresa(evento.empresa_id)
  return (
    <li className={classes.item}>
      <div className={classes.picture}>
        <EventoPicture evento={evento} />
      </div>
      <div className={classes.text}>
        <Link to="/eventos/$id" params={{ id: evento.id }} className={classes.title}>
          {textsOfIa(evento.tipo).titulo}
        </Link>
        <AlertaTime iso={evento.ocorrido_em} fuso={fuso} incerta={evento.hora_incerta} />
        <SeverityTag gravidade={evento.gravidade} />
        {evento.prova && <Badge>{t('alertas.prova')}</Badge>}
        <Verdict evento={evento} />
      </div>
    </li>
  )
}
