import { Button } from '@mantine/core'
import { IconPolygon, IconRectangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './camera.module.css'
import { RECTANGLE } from './drawing.ts'
import type { ShapesState } from './use-shapes.ts'

export interface ShapeToolsProps {
  readonly shapes: Pick<ShapesState, 'draft' | 'setDraft' | 'addZone'>
  /** Texts of the buttons. */
  readonly finish: string
  readonly draw: string
  /** Further buttons while nothing is drawn. */
  readonly children?: ReactNode
}

/** Buttons that begin a shape, and those that end it. */
export function ShapeTools({ shapes: { draft, setDraft, addZone }, finish, draw, children }: ShapeToolsProps) {
  const { t } = useTranslation()
  if (draft)
    return (
      <div className={classes.tools}>
        {draft.kind === 'zona' && (
          <Button disabled={draft.points.length < 3} onClick={() => addZone(draft.points)}>
            {finish}
          </Button>
        )}
        <Button variant="default" onClick={() => setDraft(null)}>
          {t('comum.cancelar')}
        </Button>
      </div>
    )
  return (
    <div className={classes.tools}>
      <Button
        variant="default"
        leftSection={<IconPolygon size={18} />}
        onClick={() => setDraft({ kind: 'zona', points: [] })}
      >
        {draw}
      </Button>
      <Button variant="default" leftSection={<IconRectangle size={18} />} onClick={() => addZone(RECTANGLE)}>
        {t('camera.zonas.retangulo')}
      </Button>
      {children}
    </div>
  )
}
