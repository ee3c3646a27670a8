import { Button } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './camera.module.css'
import { redo, undo } from './edit-history.ts'
import type { ShapesState } from './use-shapes.ts'

/** Buttons that undo and repeat steps of an editor. */
export function HistoryButtons({ history, goTo }: Pick<ShapesState, 'history' | 'goTo'>) {
  const { t } = useTranslation()
  return (
    <div className={classes.tools}>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={18} />}
        disabled={history.past.length === 0}
        onClick={() => goTo(undo)}
      >
        {t('camera.zonas.desfazer')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconArrowForwardUp size={18} />}
        disabled={history.future.length === 0}
        onClick={() => goTo(redo)}
      >
        {t('camera.zonas.refazer')}
      </Button>
    </div>
  )
}
