import type { LinhaDoTempo } from '@vigia/contracts/linha-do-tempo'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClock, formatDuration, formatMoment } from '../../../base/tempo/format-time.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { FoldHead } from '../../../ui/fold.tsx'
import { Legend, LegendSample } from '../../../ui/legend.tsx'
import { DayTrack } from './day-track.tsx'
import classes from './linha.module.css'

interface UnwatchedProps {
  readonly pages: readonly LinhaDoTempo[]
  readonly day: { readonly desde: number; readonly ate: number }
  readonly fuso: Fuso
  readonly now: number
}

/** Times without anybody watching, one line for each Empresa. */
export function UnwatchedLines({ pages, day, fuso, now }: UnwatchedProps) {
  const { t } = useTranslation()
  const empresas = [
    ...new Map(pages.flatMap(({ sem_vigia }) => sem_vigia).map((one) => [one.empresa_id, one])).values(),
  ]
  const since = pages[0]?.registro_desde ?? null
  if (since === null || Date.parse(since) >= day.ate)
    return <p className={classes.note}>{t('linhaDoTempo.semRegistro')}</p>
  return (
    <>
      {Date.parse(since) > day.desde && (
        <p className={classes.note}>{t('linhaDoTempo.registroDesde', { quando: formatMoment(since, now, fuso) })}</p>
      )}
      <ul className={classes.lines} aria-label={t('linhaDoTempo.ninguem')}>
        {empresas.map((one) => (
          <UnwatchedLine key={one.empresa_id} unwatched={one} named={empresas.length > 1} day={day} now={now} />
        ))}
      </ul>
    </>
  )
}

interface UnwatchedLineProps {
  readonly unwatched: LinhaDoTempo['sem_vigia'][number]
  readonly named: boolean
  readonly day: { readonly desde: number; readonly ate: number }
  readonly now: number
}

function UnwatchedLine({ unwatched: { empresa_id, periodos }, named, day, now }: UnwatchedLineProps) {
  const { t } = useTranslation()
  const { nome, fuso } = useEmpresa(empresa_id)
  const total = periodos.reduce((sum, { inicio, fim }) => sum + Date.parse(fim) - Date.parse(inicio), 0)
  const marks = periodos.map((one) => ({ ...one, key: one.inicio, kind: 'semVigia' as const }))
  return (
    <li className={classes.line}>
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
          <DayTrack marks={marks} day={day} now={now} />
        </FoldHead>
        <ul className={classes.entries}>
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
          <LegendSample
            className={classes.sample}
            data-kind={kind === 'incidente' ? 'alta' : kind}
            aria-hidden="true"
          />
          {t(`linhaDoTempo.legenda.${kind}`)}
        </li>
      ))}
    </Legend>
  )
}
