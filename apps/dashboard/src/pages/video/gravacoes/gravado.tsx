import { Button, TextInput } from '@mantine/core'
import { IconTimeline } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { TrechoGravado } from '@vigia/contracts/gravacoes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayOf } from '../../../base/tempo/calendar-day.ts'
import { type Fuso, formatClock, formatFull } from '../../../base/tempo/format-time.ts'
import { useWhen } from '../../../base/tempo/use-when.ts'
import { markOf } from '../../../domains/eventos/linha-do-tempo/marks.ts'
import { useCamera } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { Failure } from '../../../ui/failure.tsx'
import { HourBar } from '../../../ui/hour-bar.tsx'
import { Legend, LegendSample } from '../../../ui/legend.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './gravado.module.css'
import { type DaySpan, daySpan, gravadoQuery } from './gravado-query.ts'

interface GravadoProps {
  readonly fuso: Fuso
  /** Start of the part to fetch, epoch ms; null: the login may not fetch. */
  readonly startMs: number | null
  onStart(startMs: number): void
}

const MINUTE_MS = 60_000

/** A day of the recorder's archive as a bar, on which a person chooses the start of a part. */
export function Gravado({ fuso, startMs, onStart }: GravadoProps) {
  const { t } = useTranslation()
  const [day, setDay] = useState<string | null>(null)
  const today = dayOf(Date.now(), fuso)
  return (
    <section className={classes.gravado} aria-labelledby="gravado">
      <h3 id="gravado">{t('gravacoes.gravado.titulo')}</h3>
      {day === null ? (
        <Button
          variant="default"
          leftSection={<IconTimeline size={18} aria-hidden="true" />}
          onClick={() => setDay(startMs === null ? today : dayOf(startMs, fuso))}
        >
          {t('gravacoes.gravado.ver')}
        </Button>
      ) : (
        <>
          <TextInput
            type="date"
            className={classes.day}
            label={t('gravacoes.gravado.data')}
            value={day}
            max={today}
            onChange={({ currentTarget: { value } }) => value !== '' && setDay(value)}
          />
          <GravadoDay day={daySpan(day, fuso)} fuso={fuso} startMs={startMs} onStart={onStart} />
        </>
      )}
    </section>
  )
}

function GravadoDay({ day, fuso, startMs, onStart }: GravadoProps & { readonly day: DaySpan }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { id } = useCamera()
  const when = useWhen()
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
  const clock = (iso: string) => formatClock(iso, fuso).slice(0, 5)
  return (
    <>
      {detalhe !== null && <p role="status">{detalhe}</p>}
      {trechos.length === 0 && detalhe === null && <p role="status">{t('gravacoes.gravado.nada')}</p>}
      <div className={classes.bar}>
        <Track trechos={trechos} day={day} />
        {startMs !== null && <Start {...{ day, fuso, startMs, onStart, trechos }} />}
      </div>
      <div className={classes.hours} aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{t('gravacoes.gravado.hora', { hora: hour })}</span>
        ))}
      </div>
      <Legend>
        {fontes.map((fonte) => (
          <li key={fonte}>
            <LegendSample className={classes.sample} data-fonte={fonte} aria-hidden="true" />
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

/** Screen readers use the list below. */
function Track({ trechos, day }: { trechos: readonly TrechoGravado[]; day: DaySpan }) {
  return (
    <HourBar className={classes.track} aria-hidden="true">
      {trechos.map(({ inicio, fim, fonte }) => {
        const mark = markOf({ inicio, fim }, day, day.ate)
        if (mark === null) return null
        const style = { insetInlineStart: `${mark.start * 100}%`, inlineSize: `${mark.length * 100}%` }
        return <span key={`${fonte}${inicio}`} className={classes.mark} data-fonte={fonte} style={style} />
      })}
    </HourBar>
  )
}

interface StartProps extends GravadoProps {
  readonly startMs: number
  readonly day: DaySpan
  readonly trechos: readonly TrechoGravado[]
}

/** A slider over the bar: a click or the arrow keys choose the minute. */
function Start({ day: { desde, ate }, fuso, startMs, onStart, trechos }: StartProps) {
  const { t } = useTranslation()
  const isHeld = trechos.some(({ inicio, fim }) => Date.parse(inicio) <= startMs && startMs < Date.parse(fim))
  const inicio = formatClock(new Date(startMs).toISOString(), fuso).slice(0, 5)
  const isInside = startMs >= desde && startMs < ate
  return (
    <input
      type="range"
      className={classes.start}
      data-outside={!isInside}
      aria-label={t('gravacoes.gravado.comeco')}
      aria-valuetext={t(isHeld ? 'gravacoes.gravado.comGravacao' : 'gravacoes.gravado.semGravacao', { inicio })}
      min={0}
      max={Math.round((ate - desde) / MINUTE_MS) - 1}
      value={isInside ? Math.floor((startMs - desde) / MINUTE_MS) : 0}
      onChange={({ currentTarget: { value } }) => onStart(desde + Number(value) * MINUTE_MS)}
    />
  )
}
