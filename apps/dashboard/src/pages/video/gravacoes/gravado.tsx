import { Button, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Gravacao, TrechoGravado } from '@vigia/contracts/gravacoes'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { dayOf } from '../../../base/tempo/calendar-day.ts'
import { type Fuso, formatClock, formatFull } from '../../../base/tempo/format-time.ts'
import { intervalText, intervalWithin } from '../../../base/tempo/interval.ts'
import { useAddressed } from '../../../base/tempo/use-addressed.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import { DayHours, DayZoom } from '../../../domains/video/clipes/day-hours.tsx'
import { DayMarks, KindSample } from '../../../domains/video/clipes/day-marks.tsx'
import { daySpan, gravadoQuery } from '../../../domains/video/clipes/gravado-query.ts'
import { holds } from '../../../domains/video/clipes/use-play-part.ts'
import { useServices } from '../../../session/services.ts'
import { Failure } from '../../../ui/failure.tsx'
import { HourBar, HourFrame } from '../../../ui/hour-bar.tsx'
import { lengthOf, markOf, type Span } from '../../../ui/hour-view.ts'
import { Legend } from '../../../ui/legend.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './gravado.module.css'
import { type Parte, parteOf } from './span.ts'

interface GravadoProps {
  readonly fuso: Fuso
  /** The part to fetch; null: the login may not fetch. */
  readonly parte: Parte | null
  onParte(parte: Parte): void
  /** Recordings whose video is stored. */
  readonly prontas: readonly Gravacao[]
  /** Plays a recorded part, which the recorder may have to send first. */
  onPlay(part: Span): void
}

const MINUTE_MS = 60_000
const ROUTE = '/painel/cameras/$id/eventos/gravacoes'

/** A day of the recorder's archive as a bar, on which a person chooses the start of a part. */
export function Gravado({ fuso, ...choice }: GravadoProps) {
  const { t } = useTranslation()
  const { dia } = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: '/cameras/$id/eventos/gravacoes' })
  // Another day begins as a whole.
  const setDay = (day: string) =>
    void navigate({ search: (before) => ({ ...before, dia: day, zoom: undefined }), resetScroll: false })
  const today = dayOf(Date.now(), fuso)
  return (
    <section className={classes.gravado} aria-labelledby="gravado">
      <h3 id="gravado">{t('gravacoes.gravado.titulo')}</h3>
      {dia === undefined ? (
        <Button
          variant="default"
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          onClick={() => setDay(choice.parte === null ? today : dayOf(choice.parte.startMs, fuso))}
        >
          {t('gravacoes.gravado.ver')}
        </Button>
      ) : (
        <>
          <TextInput
            type="date"
            className={classes.day}
            label={t('gravacoes.gravado.data')}
            value={dia}
            max={today}
            onChange={({ currentTarget: { value } }) => value !== '' && setDay(value)}
          />
          <GravadoDay key={dia} dia={dia} fuso={fuso} {...choice} />
        </>
      )}
    </section>
  )
}

function GravadoDay({ dia, fuso, ...choice }: GravadoProps & { readonly dia: string }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { id } = useCamera()
  const when = useWhen()
  const day = useMemo(() => daySpan(dia, fuso), [dia, fuso])
  const { data, error, refetch, isFetching } = useQuery(gravadoQuery(api, id, day))
  if (isFetching)
    return (
      <Soft role="status" aria-busy="true">
        {t('gravacoes.gravado.perguntando')}
      </Soft>
    )
  if (error || !data) return <Failure error={error} onRetry={() => void refetch()} />
  const { trechos, detalhe } = data
  const fontes = (['gravador', 'caixa'] as const).filter((fonte) => trechos.some((one) => one.fonte === fonte))
  const isPlayable = choice.prontas.some(({ inicio }) => markOf({ inicio, fim: inicio }, day, day.ate) !== null)
  const clock = (iso: string) => formatClock(iso, fuso).slice(0, 5)
  return (
    <>
      {detalhe !== null && <p role="status">{detalhe}</p>}
      {trechos.length === 0 && detalhe === null && <p role="status">{t('gravacoes.gravado.nada')}</p>}
      <Bar {...{ day, fuso, trechos }} {...choice} />
      {choice.parte !== null && trechos.length > 0 && <Soft>{t('gravacoes.gravado.clique')}</Soft>}
      <Legend>
        {isPlayable && (
          <li>
            <KindSample kind="buscada" />
            {t('gravacoes.gravado.buscada')}
          </li>
        )}
        {fontes.map((fonte) => (
          <li key={fonte}>
            <KindSample kind={fonte} />
            {t(`gravacoes.gravado.${fonte}`)}
          </li>
        ))}
      </Legend>
      {trechos.length > 0 && (
        <details>
          <summary>{t('gravacoes.gravado.trechos', { count: trechos.length })}</summary>
          <ul className={classes.spans}>
            {trechos.map(({ inicio, fim, fonte, hora_incerta: incerta }) => (
              <li key={`${fonte}${inicio}`}>
                {t('gravacoes.trecho', { inicio: clock(inicio), fim: clock(fim) })} ({t(`gravacoes.gravado.${fonte}`)})
                {incerta && <Soft>{when({ em: inicio, incerta }, fuso, formatFull)}</Soft>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

interface BarProps extends GravadoProps {
  readonly day: Span
  readonly trechos: readonly TrechoGravado[]
}

/** The day with its hours and zoom. A click or the arrow keys choose the start of the part, a drag the whole part. */
function Bar({ day, fuso, parte, onParte, trechos, prontas, onPlay }: BarProps) {
  const { t } = useTranslation()
  const { zoom } = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: '/cameras/$id/eventos/gravacoes' })
  const zoomedTo = useMemo(() => intervalWithin(zoom, day) ?? day, [zoom, day])
  const [view, setView] = useAddressed<Span>(zoomedTo, (next) => {
    const part = lengthOf(next) < lengthOf(day) ? intervalText(next) : undefined
    void navigate({ search: (before) => ({ ...before, zoom: part }), resetScroll: false })
  })
  const marks = [
    ...trechos.map(({ inicio, fim, fonte }) => ({ inicio, fim, kind: fonte })),
    ...prontas.map(({ inicio, fim }) => ({ inicio, fim, kind: 'buscada' as const })),
  ]
  const painted = <DayMarks marks={marks} whole={day} view={view} now={day.ate} />
  return (
    <>
      <DayZoom whole={day} view={view} onView={setView} />
      {parte === null ? (
        <HourFrame className={classes.track}>{painted}</HourFrame>
      ) : (
        <HourBar
          className={classes.track}
          label={t('gravacoes.gravado.comeco')}
          valueText={t(
            trechos.some((one) => holds(one, parte.startMs))
              ? 'gravacoes.gravado.comGravacao'
              : 'gravacoes.gravado.semGravacao',
            {
              inicio: formatClock(new Date(parte.startMs).toISOString(), fuso).slice(0, 5),
            },
          )}
          whole={day}
          view={view}
          onView={setView}
          at={parte.startMs}
          onMove={(startMs) => onParte({ ...parte, startMs })}
          onChoose={(startMs) => {
            onParte({ ...parte, startMs })
            const isRecorded = [...trechos, ...prontas].some((one) => holds(one, startMs))
            if (isRecorded) onPlay({ desde: startMs, ate: startMs + parte.minutos * MINUTE_MS })
          }}
          span={{ desde: parte.startMs, ate: parte.startMs + parte.minutos * MINUTE_MS }}
          onSpan={(span) => span && onParte(parteOf(span))}
        >
          {painted}
        </HourBar>
      )}
      <DayHours whole={day} view={view} fuso={fuso} />
    </>
  )
}
