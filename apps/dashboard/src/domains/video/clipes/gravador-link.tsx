import { IconHistory } from '@tabler/icons-react'
import { useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../ui/button-link.tsx'

/** A recording of the recorder is suggested from this long before the event. */
const BEFORE_MS = 30_000

interface GravadorLinkProps {
  readonly cameraId: number
  /** Time of the event. */
  readonly iso: string
}

/** Opens the recordings of the recorder at an event. A `usuario` has no access to them and sees no link. */
export function GravadorLink({ cameraId, iso }: GravadorLinkProps) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  if (me.papel === 'usuario') return null
  return (
    <ButtonLink
      to="/cameras/$id/eventos/gravacoes"
      params={{ id: String(cameraId) }}
      search={{ em: new Date(Date.parse(iso) - BEFORE_MS).toISOString() }}
      variant="default"
      size="sm"
      leftSection={<IconHistory size={16} aria-hidden="true" />}
    >
      {t('plantao.clipe.noGravador')}
    </ButtonLink>
  )
}
