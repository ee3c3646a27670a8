import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './fila-news.module.css'
import type { useFila } from './use-fila.ts'

/** New incidentes wait behind this button. Its space is always there: the cards must not move when it appears. */
export function FilaNews({ fila: { novos, resolvidos, update } }: { fila: ReturnType<typeof useFila> }) {
  const { t } = useTranslation()
  return (
    <div className={classes.news} role="status">
      {novos.length > 0 ? (
        <Button
          size="sm"
          leftSection={<IconArrowUp size={16} aria-hidden="true" />}
          aria-keyshortcuts="A"
          title={t('plantao.novosAjuda')}
          onClick={update}
        >
          {t('plantao.novos', { count: novos.length })}
        </Button>
      ) : (
        resolvidos > 0 && (
          <Button size="sm" variant="subtle" color="gray" aria-keyshortcuts="A" onClick={update}>
            {t('plantao.retirar', { count: resolvidos })}
          </Button>
        )
      )}
    </div>
  )
}
