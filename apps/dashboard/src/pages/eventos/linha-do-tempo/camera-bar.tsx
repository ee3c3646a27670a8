import { useQuery } from '@tanstack/react-query'
import type { LinhaDaCamera } from '@vigia/contracts/linha-do-tempo'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClock } from '../../../base/tempo/format-time.ts'
import { DayMarks } from '../../../domains/video/clipes/day-marks.tsx'
import type { DayMark } from '../../../domains/video/clipes/day-paths.ts'
import { gravadoQuery } from '../../../domains/video/clipes/gravado-query.ts'
import { useServices } from '../../../session/services.ts'
import { HourBar } from '../../../ui/hour-bar.tsx'
import { lengthOf, type Span } from '../../../ui/hour-view.ts'
import { entriesOf, useEntryWords } from './entries.ts'
import classes from './linha.module.css'
import { MarkCard } from './mark-card.tsx'

/** The day that every line shows. */
export interface Day {
  readonly whole: Span
  /** Part of it that the zoom shows. */
  readonly view: Span
  readonly onView: (view: Span) => void
  readonly now: number
}

interface CameraBarProps extends Day {
  readonly line: LinhaDaCamera
  /** Id of the sentence that explains the keys. */
  readonly hint: string
  readonly fuso: Fuso
  /** Whether the bar also shows what is recorded. */
  readonly isAsked: boolean
  readonly span: Span | null
  readonly onSpan: (span: Span | null) => void
  /** Plays an incidente by its id. */
  readonly onPlay: (incidente: number) => void
}

/** A click beside the incidentes chooses this part. */
const CLICK_MS = 60_000

/** The day of a camera as a bar. Its cursor shows the picture of its mark, unless a part is chosen. */
export function CameraBar({ line, hint, fuso, isAsked, span, onSpan, onPlay, ...day }: CameraBarProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { whole, view, now } = day
  const [at, setAt] = useState<number | null>(null)
  const { data: recorded } = useQuery({ ...gravadoQuery(api, line.camera_id, whole), enabled: isAsked })
  const entries = useMemo(() => entriesOf(line, whole), [line, whole])
  const marks = useMemo(() => marksOf(line), [line])
  const stops = useMemo(() => [...new Set(entries.map((one) => one.at))], [entries])
  const entry = entries.find((one) => one.at === at && one.incidente) ?? entries.find((one) => one.at === at) ?? null
  const words = useEntryWords(fuso)
  const clock = at === null ? '' : formatClock(new Date(at).toISOString(), fuso)
  const said = entry && words(entry)
  return (
    <div className={classes.bar}>
      <HourBar
        {...day}
        {...{ hint, stops, at, span, onSpan }}
        className={classes.track}
        label={t('linhaDoTempo.barra', { camera: line.camera_nome })}
        valueText={
          said
            ? t('linhaDoTempo.marca', { ...said, qual: stops.indexOf(entry.at) + 1, total: stops.length })
            : clock || t('linhaDoTempo.semMarca', { count: stops.length })
        }
        onMove={setAt}
        onHover={setAt}
        onChoose={(chosen) =>
          entry?.incidente && entry.at === chosen
            ? onPlay(entry.incidente.id)
            : onSpan({ desde: chosen, ate: Math.min(chosen + CLICK_MS, whole.ate) })
        }
      >
        <DayMarks marks={marks} whole={whole} view={view} now={now} />
        {recorded && (
          <DayMarks
            isLane
            marks={recorded.trechos.map(({ fonte, ...one }) => ({ ...one, kind: fonte }))}
            whole={whole}
            view={view}
            now={now}
          />
        )}
      </HourBar>
      {span === null && at !== null && at >= view.desde && at <= view.ate && (
        <MarkCard share={(at - view.desde) / lengthOf(view)} entry={entry} words={said} clock={clock} />
      )}
    </div>
  )
}

const marksOf = ({ incidentes, quedas }: LinhaDaCamera): DayMark[] => [
  ...quedas.map(({ inicio, fim }) => ({ inicio, fim, kind: 'queda' as const })),
  ...incidentes.map(({ inicio, fim, gravidade }) => ({ inicio, fim, kind: gravidade })),
]
