import { Button, CloseButton } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { dayOf } from '../../../base/tempo/calendar-day.ts'
import { type Fuso, formatClock, formatDuration } from '../../../base/tempo/format-time.ts'
import { usePlayPart } from '../../../domains/video/clipes/use-play-part.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { formErrors } from '../../../ui/form-errors.ts'
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
  const navigate = useNavigate()
  const play = usePlayPart(camera, ({ id: assistir }) => {
    const search = { em: desde, ate, dia: dayOf(span.desde, fuso), assistir, posicao: desde }
    void navigate({ to: '/cameras/$id/eventos/gravacoes', params: { id: String(camera) }, search })
  })
  return (
    <section className={classes.trecho} aria-label={t('linhaDoTempo.trecho.titulo')}>
      <span role="status">
        <strong>{t('linhaDoTempo.de', { inicio: formatClock(desde, fuso), fim: formatClock(ate, fuso) })}</strong>{' '}
        <span className={classes.soft}>{formatDuration(lengthOf(span))}</span>
      </span>
      {me.papel !== 'usuario' && (
        <Button
          size="sm"
          loading={play.isPending}
          leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
          onClick={() => play.mutate(span)}
        >
          {t('linhaDoTempo.trecho.assistir')}
        </Button>
      )}
      <ButtonLink
        variant="default"
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
      {play.error && <span role="alert">{formErrors(play.error, []).general}</span>}
      <CloseButton aria-label={t('linhaDoTempo.trecho.desfazer')} onClick={onClose} />
    </section>
  )
}
