import { Button } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { Janela } from '@vigia/contracts/agenda'
import { MAX_JANELAS } from '@vigia/contracts/horarios'
import { useTranslation } from 'react-i18next'
import { Row } from '../../../ui/layout.tsx'
import classes from './window-editor.module.css'
import { Week, WindowFields } from './window-editor.tsx'

/** The window that a button adds. */
export const NIGHT: Janela = { inicio: 22, fim: 6, dias: [] }
const STEP = 0.5

interface HoursEditorProps {
  /** Name of the IA. */
  readonly name: string
  readonly janelas: readonly Janela[]
  readonly onChange: (janelas: readonly Janela[]) => void
}

/** The windows of one IA in half hours. A rectangle that is drawn in the week adds one. */
export function HoursEditor({ name, janelas, onChange }: HoursEditorProps) {
  const { t } = useTranslation()
  const full = janelas.length >= MAX_JANELAS
  const draw = (janela: Janela, first: boolean) => {
    if (first && full) return
    onChange([...(first ? janelas : janelas.slice(0, -1)), janela])
  }
  return (
    <div className={classes.window}>
      <ul className={classes.windows} aria-label={t('camera.horarios.janelas', { nome: name })}>
        {janelas.map((janela, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a window has no identity but its place, and two may be equal
          <li key={index}>
            <Row gap={6}>
              <WindowFields
                janela={janela}
                step={STEP}
                onChange={(next) => onChange(janelas.map((one, at) => (at === index ? next : one)))}
              />
              {janelas.length > 1 && (
                <Button
                  variant="subtle"
                  color="gray"
                  leftSection={<IconTrash size={16} aria-hidden="true" />}
                  aria-label={t('camera.horarios.tirarRotulo', { numero: index + 1, nome: name })}
                  onClick={() => onChange(janelas.filter((_one, at) => at !== index))}
                >
                  {t('camera.horarios.tirar')}
                </Button>
              )}
            </Row>
          </li>
        ))}
      </ul>
      <Button
        variant="default"
        size="sm"
        style={{ alignSelf: 'start' }}
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        disabled={full}
        aria-label={t('camera.horarios.maisRotulo', { nome: name })}
        onClick={() => onChange([...janelas, NIGHT])}
      >
        {t('camera.horarios.mais')}
      </Button>
      <Week name={name} janelas={janelas} step={STEP} onDraw={draw} />
    </div>
  )
}
