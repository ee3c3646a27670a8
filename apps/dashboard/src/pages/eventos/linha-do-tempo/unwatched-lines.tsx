import type { LinhaDoTempo } from '@vigia/contracts/linha-do-tempo'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClock, formatDuration, formatMoment } from '../../../base/tempo/format-time.ts'
import { DayMarks, KindSample } from '../../../domains/video/clipes/day-marks.tsx'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { FoldHead } from '../../../ui/fold.tsx'
import { HourFrame } from '../../../ui/hour-bar.tsx'
import type { Span } from '../../../ui/hour-view.ts'
import { Legend } from '../../../ui/legend.tsx'
import classes from './linha.module.css'

interface UnwatchedProps {
  readonly pages: readonly LinhaDoTempo[]
  readonly whole: Span
  readonly view: Span
  readonly fuso: Fuso
  readonly now: number
}

/** Times without anybody watching, one line for each Empresa. */
export function UnwatchedLines({ pages, whole, view, fuso, now }: UnwatchedProps) {
  const { t } = useTranslation()
  const empresas = [
    ...new Map(pages.flatMap(({ sem_vigia }) => sem_vigia).map((one) => [one.empresa_id, one])).values(),
  ]
  const since = pages[0]?.registro_desde ?? null
  if (since === null || Date.parse(since) >= whole.ate)
    return <p className={classes.note}>{t('linhaDoTempo.semRegistro')}</p>
  return (
    <>
      {Date.parse(since) > whole.desde && (
        <p className={classes.note}>{t('linhaDoTempo.registroDesde', { quando: formatMoment(since, now, fuso) })}</p>
      )}
      <ul className={classes.lines} aria-label={t('linhaDoTempo.ninguem')}>
        {empresas.map((one) => (
          <UnwatchedLine
            key={one.empresa_id}
            unwatched={one}
            named={empresas.length > 1}
            whole={whole}
            view={view}
            now={now}
          />
        ))}
      </ul>
    </>
  )
}

interface UnwatchedLineProps {
  readonly unwatched: LinhaDoTempo['sem_vigia'][number]
  readonly named: boolean
  readonly whole: Span
  readonly view: Span
  readonly now: number
}

function UnwatchedLine({ unwatched: { empresa_id, periodos }, named, whole, view, now }: UnwatchedLineProps) {
  const { t } = useTranslation()
  const { nome, fuso } = useEmpresa(empresa_id)
  const total = periodos.reduce((sum, { inicio, fim }) => sum + Date.parse(fim) - Date.parse(inicio), 0)
  const marks = periodos.map((one) => ({ ...one, kind: 'semVigia' as const }))
  return (
    <li className={classes.fold}>
      <details>
        <FoldHead className={classes.summary}>
          <span className={classes.name}>
            {named ? t('linhaDoTempo.ninguemEm', { empresa: nome ?? '' }) : t('linhaDoTempo.ninguem')}
            <span className={classes.soft}>
              {periodos.length === 0
                ? t('linhaDoTempo.sempreVigiada')
                : t('linhaDoTempo.semVigia', { count: periodos.length, tempo: formatDuration(total) })}
            </span>
          </span>
          <HourFrame className={classes.track}>
            <DayMarks marks={marks} whole={whole} view={view} now={now} />
          </HourFrame>
        </FoldHead>
        <ul className={`${classes.entries} ${classes.periods}`}>
          {periodos.map(({ inicio, fim }) => (
            <li key={inicio} className={classes.entry}>
              {t('linhaDoTempo.de', { inicio: formatClock(inicio, fuso), fim: formatClock(fim, fuso) })}
            </li>
          ))}
        </ul>
      </details>
    </li>
  )
}

/** Colours and patterns of the marks in words. */
export function LineLegend() {
  const { t } = useTranslation()
  return (
    <Legend>
      {(['incidente', 'queda', 'semVigia'] as const).map((kind) => (
        <li key={kind}>
          <KindSample kind={kind === 'incidente' ? 'alta' : kind} />
          {t(`linhaDoTempo.legenda.${kind}`)}
        </li>
      ))}
    </Legend>
  )
}
