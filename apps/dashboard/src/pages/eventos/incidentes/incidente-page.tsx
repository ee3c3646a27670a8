import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { IncidenteDetalhe } from '@vigia/contracts/incidentes'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { camerasQuery, incidenteQuery, vizinhosIncidenteQuery } from '../../../api/queries.ts'
import { formatClock, formatFull } from '../../../base/tempo/format-time.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { SeverityTag } from '../../../domains/eventos/alertas/severity-tag.tsx'
import { useIncidenteWords } from '../../../domains/eventos/alertas/use-verdict-words.ts'
import { AnswerBar } from '../../../domains/eventos/incidentes/answer-bar.tsx'
import { AnswerHistory } from '../../../domains/eventos/incidentes/answer-history.tsx'
import { EventoFrame } from '../../../domains/eventos/incidentes/evento-frame.tsx'
import { ExportLink } from '../../../domains/eventos/incidentes/export-link.tsx'
import { Neighbours } from '../../../domains/eventos/incidentes/neighbours.tsx'
import { NoteField } from '../../../domains/eventos/incidentes/note-field.tsx'
import { PlateFacts } from '../../../domains/eventos/incidentes/plate-facts.tsx'
import { SilenceMark } from '../../../domains/eventos/incidentes/silence-mark.tsx'
import { TakeBar } from '../../../domains/eventos/incidentes/take-bar.tsx'
import { SILENCE_MIN, useAnswer, useMayWork } from '../../../domains/eventos/incidentes/use-answer.ts'
import { EventoClip } from '../../../domains/video/clipes/evento-clip.tsx'
import { GravadorLink } from '../../../domains/video/clipes/gravador-link.tsx'
import { useIncidenteTitle } from '../../../live/incidente-title.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Column } from '../../../ui/layout.tsx'
import { useShortcuts } from '../../../ui/shortcuts.ts'
import { EventoStrip } from './evento-strip.tsx'
import classes from './incidente-page.module.css'

/** One incidente with all its events and answers, at its own address. */
export function IncidentePage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { id } = useParams({ from: '/painel/incidentes/$id' })
  const { data, error, refetch } = useQuery(incidenteQuery(api, id))
  usePageTitle(t('plantao.incidente.numero', { id }))
  if (data) return <Content key={id} incidente={data} />
  return (
    <>
      <h1 className={classes.title}>{t('plantao.incidente.numero', { id })}</h1>
      {error ? <Failure error={error} onRetry={() => void refetch()} /> : <Skeleton height={320} />}
    </>
  )
}

function Content({ incidente }: { incidente: IncidenteDetalhe }) {
  const { t } = useTranslation()
  const { api, settings } = useServices()
  const { empresa = null } = useSearch({ from: '/painel' })
  const navigate = useNavigate()
  const { nome, fuso } = useEmpresa(incidente.empresa_id)
  const titulo = useIncidenteTitle()(incidente)
  const words = useIncidenteWords()(incidente)
  const when = useWhen()
  const mayWork = useMayWork()
  const answering = useAnswer(incidente)
  const { data: cameras } = useQuery(camerasQuery(api, empresa))
  const { data: neighbours } = useQuery(vizinhosIncidenteQuery(api, empresa, incidente))
  const camera = cameras?.find(({ id }) => id === incidente.camera_id)
  const [chosenId, setChosenId] = useState<number | null>(null)
  const shown = incidente.lista.find(({ id }) => id === (chosenId ?? incidente.capa_evento_id))
  const open = (id: number | null | undefined) => {
    if (id) void navigate({ to: '/incidentes/$id', params: { id } })
  }
  const work = mayWork
    ? {
        v: () => answering.answer('verdadeiro'),
        f: () => answering.answer('falso'),
        s: () => answering.answer('nao_sei'),
        m: () => answering.silence(SILENCE_MIN),
      }
    : {}
  useShortcuts(settings, {
    ...work,
    arrowleft: () => open(neighbours?.older),
    arrowright: () => open(neighbours?.newer),
  })

  return (
    <Column gap={11} as="article">
      <div className={classes.head}>
        <SeverityTag gravidade={incidente.gravidade} />
        <h1 className={classes.title}>{titulo}</h1>
        <PlateFacts placa={incidente.placa ?? null} />
        <span className={classes.where}>{[incidente.camera_nome, nome].filter(Boolean).join(' · ')}</span>
        <Neighbours
          older={neighbours?.older ?? null}
          newer={neighbours?.newer ?? null}
          olderText={t('plantao.incidente.anterior')}
          newerText={t('plantao.incidente.seguinte')}
          onOpen={open}
        />
        <ExportLink path={`/incidentes/${incidente.id}`} />
      </div>
      <div className={classes.columns}>
        <div className={classes.picture}>
          {shown && (
            <Fragment key={shown.id}>
              <EventoFrame evento={shown} zonas={camera?.zonas ?? []} />
              <p className={classes.links}>
                <Link to="/eventos/$id" params={{ id: shown.id }}>
                  {t('plantao.incidente.abrirEvento', {
                    titulo: textsOfIa(shown.tipo).titulo,
                    hora: formatClock(shown.ocorrido_em, fuso),
                  })}
                </Link>
                {camera && <GravadorLink cameraId={camera.id} iso={shown.ocorrido_em} />}
              </p>
            </Fragment>
          )}
        </div>
        <div className={classes.side}>
          <p className={classes.facts}>
            <span>{when({ em: incidente.inicio, incerta: incidente.hora_incerta }, fuso, formatFull)}</span>
            <span>{words}</span>
            <span>{t('plantao.incidente.eventos', { count: incidente.eventos })}</span>
          </p>
          {camera?.silencio && <SilenceMark silencio={camera.silencio} fuso={fuso} />}
          <AnswerBar incidente={incidente} answering={answering} silencio={camera?.silencio} onNext={null} />
          <NoteField answering={answering} />
          <TakeBar incidente={incidente} answering={answering} />
          <AnswerHistory last={incidente.atendimento} atendimentos={incidente.atendimentos} fuso={fuso} />
        </div>
      </div>
      <section>
        <h2 className={classes.heading}>{t('plantao.incidente.lista')}</h2>
        <EventoStrip
          eventos={incidente.lista}
          chosenId={shown?.id ?? incidente.capa_evento_id}
          onChoose={setChosenId}
          camera={camera}
          fuso={fuso}
        />
      </section>
      <div className={classes.clip}>{shown && <EventoClip key={shown.id} id={shown.id} />}</div>
      <Link to="/" className={classes.back}>
        {t('plantao.incidente.voltar')}
      </Link>
    </Column>
  )
}
