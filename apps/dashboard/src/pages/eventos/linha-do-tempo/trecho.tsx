import { CloseButton } from '@mantine/core'
import { useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatClock, formatDuration } from '../../../base/tempo/format-time.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { lengthOf, type Span } from '../../../ui/hour-view.ts'
import classes from './linha.module.css'

interface TrechoProps {
  readonly camera: number
  readonly empresa: number
  readonly fuso: Fuso
  readonly span: Span
  readonly onClose: () => void
}

/** Actions on the chosen part of a day: its video from the recorder, and the export of its events. */
export function Trecho({ camera, empresa, fuso, span, onClose }: TrechoProps) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const desde = new Date(span.desde).toISOString()
  const ate = new Date(span.ate).toISOString()
  return (
    <section className={classes.trecho} aria-label={t('linhaDoTempo.trecho.titulo')}>
      <span role="status">
        <strong>{t('linhaDoTempo.de', { inicio: formatClock(desde, fuso), fim: formatClock(ate, fuso) })}</strong>{' '}
        <span className={classes.soft}>{formatDuration(lengthOf(span))}</span>
      </span>
      <ButtonLink
        to="/cameras/$id/eventos/gravacoes"
        params={{ id: String(camera) }}
        search={{ em: desde, ate }}
        size="sm"
      >
        {t('linhaDoTempo.trecho.gravacoes')}
      </ButtonLink>
      {me.papel === 'administrador' && (
        <ButtonLink to="/retencao" search={{ empresa, camera, em: desde, ate }} size="sm" variant="default">
          {t('linhaDoTempo.trecho.exportar')}
        </ButtonLink>
      )}
      <CloseButton aria-label={t('linhaDoTempo.trecho.desfazer')} onClick={onClose} />
    </section>
  )
}
