import { UnstyledButton } from '@mantine/core'
import type { LinhaDaCamera } from '@vigia/contracts/linha-do-tempo'
import { memo, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEmpresa } from '../../../session/use-empresa.ts'
import type { Span } from '../../../ui/hour-view.ts'
import { CameraBar, type Day } from './camera-bar.tsx'
import { CameraEntries } from './camera-entries.tsx'
import classes from './linha.module.css'
import { Recorded } from './recorded.tsx'
import { Trecho } from './trecho.tsx'

interface CameraLineProps extends Day {
  readonly line: LinhaDaCamera
  /** Id of the sentence that explains the keys. */
  readonly hint: string
  /** Whether the list of the day is shown. */
  readonly open: boolean
  readonly onOpen: (camera: number, open: boolean) => void
  /** Chosen part of the day; null: none, or one of another camera. */
  readonly span: Span | null
  readonly onPart: (camera: number, span: Span | null) => void
  /** Plays an incidente by its id. */
  readonly onPlay: (incidente: number) => void
}

/** One camera: its day as a bar, and as a list when it is opened. The list says everything that the bar shows. */
export const CameraLine = memo(({ line, hint, open, onOpen, span, onPart, onPlay, ...day }: CameraLineProps) => {
  const { t } = useTranslation()
  const list = useId()
  const { nome, fuso } = useEmpresa(line.empresa_id)
  const { incidentes, quedas, camera_id, camera_nome } = line
  const onSpan = (next: Span | null) => onPart(camera_id, next)
  /** Whether the person asked for what is recorded: the recorder reads its disk for the answer. */
  const [isAsked, setAsked] = useState(false)
  const counts = [
    ...(incidentes.length > 0 ? [t('linhaDoTempo.incidentes', { count: incidentes.length })] : []),
    ...(quedas.length > 0 ? [t('linhaDoTempo.quedas', { count: quedas.length })] : []),
  ]
  return (
    <div className={classes.line}>
      <UnstyledButton
        className={classes.head}
        aria-expanded={open}
        aria-controls={open ? list : undefined}
        onClick={() => onOpen(camera_id, !open)}
      >
        <span className={classes.name}>
          {camera_nome}
          <span className={classes.soft}>{[nome, ...counts].filter(Boolean).join(' · ')}</span>
        </span>
      </UnstyledButton>
      <CameraBar {...day} {...{ line, hint, fuso, span, isAsked }} onSpan={onSpan} onPlay={onPlay} />
      {span && (
        <Trecho camera={camera_id} empresa={line.empresa_id} fuso={fuso} span={span} onClose={() => onSpan(null)} />
      )}
      {open && (
        <div id={list} className={classes.opened}>
          <Recorded camera={camera_id} day={day.whole} isAsked={isAsked} onAsk={() => setAsked(true)} />
          <CameraEntries line={line} day={day.whole} fuso={fuso} />
        </div>
      )}
    </div>
  )
})
