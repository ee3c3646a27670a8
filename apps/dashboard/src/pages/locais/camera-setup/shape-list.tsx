import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './camera.module.css'
import type { Drawing, Shape } from './drawing.ts'
import { useShapeName } from './shape-name.ts'

export interface ShapeListProps {
  readonly drawing: Drawing
  /** For screen readers. */
  readonly label: string
  readonly selected: Shape | null
  readonly onSelect: (shape: Shape) => void
  readonly onRemove: (shape: Shape) => void
}

/** The shapes of a drawing, to select or remove one. */
export function ShapeList({ drawing, label, selected, onSelect, onRemove }: ShapeListProps) {
  const { t } = useTranslation()
  const say = useShapeName()
  const shapes: Shape[] = [
    ...drawing.zonas.map((_zona, index): Shape => ({ kind: 'zona', index })),
    ...(drawing.linha ? [{ kind: 'linha' } as const] : []),
  ]
  const nameOf = (shape: Shape) => say(drawing, shape)
  const isSelected = (shape: Shape) => JSON.stringify(shape) === JSON.stringify(selected)
  if (shapes.length === 0) return null
  return (
    <ul className={classes.shapes} aria-label={label}>
      {shapes.map((shape) => (
        <li key={shape.kind === 'zona' ? shape.index : 'linha'}>
          <Button
            variant={isSelected(shape) ? 'light' : 'default'}
            aria-pressed={isSelected(shape)}
            onClick={() => onSelect(shape)}
          >
            {nameOf(shape)}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={17} />}
            aria-label={t('camera.zonas.removerNome', { nome: nameOf(shape) })}
            onClick={() => onRemove(shape)}
          >
            {t('camera.zonas.remover')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
