import { NativeSelect } from '@mantine/core'
import type { Janela } from '@vigia/contracts/agenda'
import { type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldRow } from '../../../ui/fields.tsx'
import { armedHours, type Cell, DIAS, gridOf, HORAS, toggleDay, windowOf } from './week-grid.ts'
import classes from './window-editor.module.css'
import { useWindowText } from './window-text.ts'

export interface WindowEditorProps {
  /** Name of the IA. */
  readonly name: string
  readonly janela: Janela
  readonly onChange: (janela: Janela) => void
}

/** Hours, days and the week of one window. The week can be drawn with a pointer; the fields do the same by keyboard. */
export function WindowEditor({ name, janela, onChange }: WindowEditorProps) {
  const { t } = useTranslation()
  const days: readonly string[] = t('camera.horarios.diasInteiros', { returnObjects: true })
  const short: readonly string[] = t('camera.horarios.dias', { returnObjects: true })
  const hours = (last: number) =>
    Array.from({ length: last + 1 }, (_one, hora) => ({
      value: String(hora),
      label: t('camera.horarios.hora', { hora }),
    }))
  return (
    <div className={classes.window}>
      <FieldRow>
        <NativeSelect
          label={t('camera.horarios.de')}
          value={String(janela.inicio)}
          data={hours(HORAS - 1)}
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
      <Week name={name} janela={janela} onChange={onChange} />
    </div>
  )
}

function Week({ name, janela, onChange }: WindowEditorProps) {
  const { t } = useTranslation()
  const say = useWindowText()
  const names: readonly string[] = t('camera.horarios.dias', { returnObjects: true })
  const cells = useRef<HTMLDivElement>(null)
  const from = useRef<Cell | null>(null)
  const grid = gridOf(janela)

  const cellAt = ({ clientX, clientY }: PointerEvent): Cell => {
    const { left, top, width, height } = cells.current?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    const within = (share: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)))
    return { dia: within((clientY - top) / height, DIAS), hora: within((clientX - left) / width, HORAS) }
  }
  const press = (event: PointerEvent) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    from.current = cellAt(event)
    onChange(windowOf(from.current, from.current))
  }
  const follow = (event: PointerEvent) => {
    if (from.current) onChange(windowOf(from.current, cellAt(event)))
  }
  const release = () => {
    from.current = null
  }
  return (
    <div className={classes.week}>
      <div
        role="img"
        aria-label={t('camera.horarios.resumo', { nome: name, quando: say(janela), horas: armedHours(grid) })}
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
      <p className={classes.summary}>{say(janela)}</p>
    </div>
  )
}
