import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { VigiaError } from '@vigia/contracts/errors'
import { useTranslation } from 'react-i18next'
import { Notice } from './notice.tsx'

/** Shown if a page fails: the error of the cloud or of the page, and the next step. */
export function CrashPage({ error }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const known = error instanceof VigiaError
  return (
    <Notice
      role="alert"
      title={known ? error.detalhe : t('painel.falhou')}
      text={known ? undefined : t('painel.falhouDetalhe')}
      action={
        known ? (
          <Button onClick={() => void router.invalidate()}>{t('comum.tentarDeNovo')}</Button>
        ) : (
          <Button onClick={() => location.reload()}>{t('painel.recarregar')}</Button>
        )
      }
    />
  )
}

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t('painel.naoExiste')}</h1>
      <Notice title={t('painel.naoExisteDetalhe')} action={<Link to="/">{t('painel.inicio')}</Link>} />
    </>
  )
}
