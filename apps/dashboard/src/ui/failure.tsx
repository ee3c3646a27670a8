import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { VigiaError } from '@vigia/contracts/errors'
import { useTranslation } from 'react-i18next'
import { Notice } from './notice.tsx'

/** Shown if a list could not be fetched: the reason and a retry button. */
export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <Notice
      role="alert"
      icon={<IconPlugConnectedX size={32} />}
      title={error instanceof VigiaError ? error.detalhe : t('painel.falhou')}
      action={<Button onClick={onRetry}>{t('comum.tentarDeNovo')}</Button>}
    />
  )
}
