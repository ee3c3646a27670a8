import { NativeSelect } from '@mantine/core'
import type { Janela } from '@vigia/contracts/agenda'
import { type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldRow } from '../../../ui/fields.tsx'
import { armedHours, type Cell, DIAS, gridOf, HORAS, toggleDay, windowOf } from './week-grid.ts'
import classes from './window-editor.module.css'
import { clockText, useWindowText } from './window-text.ts'

export interface WindowFieldsProps {
  readonly janela: Janela
  /** Hours between two choices. */
  readonly step: 0.5 | 1
  readonly onChange: (janela: Janela) => void
}

/** Hours and days of one window. */
export function WindowFields({ janela, step, onChange }: WindowFieldsProps) {
  const { t } = useTranslation()
  const days: readonly string[] = t('camera.horarios.diasInteiros', { returnObjects: true })
  const short: readonly string[] = t('camera.horarios.dias', { returnObjects: true })
  const hours = (last: number) =>
    Array.from({ length: last / step + 1 }, (_one, at) => ({
      value: String(at * step),
      label: t('camera.horarios.hora', { hora: clockText(at * step) }),
    }))
  return (
    <FieldRow>
      <NativeSelect
        label={t('camera.horarios.de')}
        value={String(janela.inicio)}
        data={hours(HORAS - step)}
        onChange={(event) => onChange({ ...janela, inicio: Number(event.currentTarget.value) })}
      />
      <NativeSelect
        label={t('camera.horarios.ate')}
        value={String(janela.fim)}
        data={hours(HORAS)}
        onChange={(event) => onChange({ ...janela, fim: Number(event.currentTarget.value) })}
      />
      <fieldset className={classes.days}>
        <legend>{t('camera.horarios.nosDias')}</legend>
        {days.map((dia, index) => (
          <button
            key={dia}
            type="button"
            title={dia}
            aria-pressed={janela.dias.length === 0 || janela.dias.includes(index)}
            onClick={() => onChange(toggleDay(janela, index))}
          >
            {short[index]}
          </button>
        ))}
      </fieldset>
    </FieldRow>
  )
}

export interface WindowEditorProps extends WindowFieldsProps {
  /** Name of the IA. */
  readonly name: string
}

/** Hours, days and the week of one window. The week can be drawn with a pointer; the fields do the same by keyboard. */
export function WindowEditor({ name, janela, step, onChange }: WindowEditorProps) {
  return (
    <div className={classes.window}>
      <WindowFields janela={janela} step={step} onChange={onChange} />
      <Week name={name} janelas={[janela]} step={step} onDraw={onChange} />
    </div>
  )
}

export interface WeekProps {
  /** Name of the IA. */
  readonly name: string
  readonly janelas: readonly Janela[]
  readonly step: 0.5 | 1
  /** Receives the drawn window at each movement. `first`: the drawing begins. */
  readonly onDraw: (janela: Janela, first: boolean) => void
}

/** The armed hours of a week, in which a pointer draws a window. */
export function Week({ name, janelas, step, onDraw }: WeekProps) {
  const { t } = useTranslation()
  const say = useWindowText()
  const names: readonly string[] = t('camera.horarios.dias', { returnObjects: true })
  const cells = useRef<HTMLDivElement>(null)
  const from = useRef<Cell | null>(null)
  const grid = gridOf(janelas, step)
  const columns = HORAS / step

  const cellAt = ({ clientX, clientY }: PointerEvent): Cell => {
    const { left, top, width, height } = cells.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    const within = (share: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)))
    return { dia: within((clientY - top) / height, DIAS), hora: within((clientX - left) / width, columns) }
  }
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = cellAt(event)
    onDraw(windowOf(from.current, from.current, step), true)
  }
  const follow = (event: PointerEvent) => {
    if (from.current) onDraw(windowOf(from.current, cellAt(event), step), false)
  }
  const release = () => {
    from.current = null
  }
  return (
    <div className={classes.week}>
      <div
        role="img"
        aria-label={t('camera.horarios.resumo', { nome: name, quando: say(janelas), horas: armedHours(grid) })}
        className={classes.grid}
      >
        <div className={classes.names} aria-hidden="true">
          {names.map((dia) => (
            <span key={dia}>{dia}</span>
          ))}
        </div>
        <div
          ref={cells}
          className={classes.cells}
          style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          onPointerDown={press}
          onPointerMove={follow}
          onPointerUp={release}
          onPointerCancel={release}
        >
          {grid.flatMap((hours, dia) =>
            hours.map((armed, hora) => <span key={`${names[dia]} ${String(hora)}`} data-armed={armed || undefined} />),
          )}
        </div>
        <div className={classes.scale} aria-hidden="true">
          {[0, 6, 12, 18, 24].map((hora) => (
            <span key={hora}>{hora}</span>
          ))}
        </div>
      </div>
      <p className={classes.summary}>{say(janelas)}</p>
    </div>
  )
}
