import { Button } from '@mantine/core'
import { VigiaError } from '@vigia/contracts/errors'
import { useTranslation } from 'react-i18next'
import classes from './more.module.css'
import { styled } from './styled.ts'

/** Sentence at the end of a list. */
export const ListEndNote = styled('p', classes.more)

export interface MoreProps {
  readonly label: string
  readonly loading: boolean
  /** Error of the last request for more entries; null: none. */
  readonly error: unknown
  readonly onMore: () => void
}

/** End of a list that has more entries: the button that fetches them. After a failure it shows the reason. */
export function More({ label, loading, error, onMore }: MoreProps) {
  const { t } = useTranslation()
  const failed = error !== null && !loading
  return (
    <div className={classes.more}>
      {failed && <p role="alert">{error instanceof VigiaError ? error.detalhe : t('painel.falhou')}</p>}
      <Button variant="default" onClick={onMore} loading={loading}>
        {failed ? t('comum.tentarDeNovo') : label}
      </Button>
    </div>
  )
}
