import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { eventoQuery } from '../../../api/queries.ts'
import { EventoClip } from '../../../domains/video/clipes/evento-clip.tsx'
import { GravadorLink } from '../../../domains/video/clipes/gravador-link.tsx'
import { useServices } from '../../../session/services.ts'
import { PictureArea, PlainPicture } from '../../../ui/boxed-picture.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { Row } from '../../../ui/layout.tsx'
import type { Entry } from './entries.ts'

interface PlayIncidenteProps {
  readonly incidente: NonNullable<Entry['incidente']>
  readonly camera: number
  /** IA, camera and time. */
  readonly titulo: string
  readonly onClose: () => void
}

/** Plays the clip of an incidente, or says why there is none; the recorder may have the time. */
export function PlayIncidente({ incidente, camera, titulo, onClose }: PlayIncidenteProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { id, inicio, capa_evento_id } = incidente
  const { data: evento } = useQuery(eventoQuery(api, capa_evento_id))
  return (
    <InfoDialog title={titulo} onClose={onClose}>
      {evento?.clip_url === null && evento.crop_url !== null && (
        <PictureArea>
          <PlainPicture src={evento.crop_url} alt={t('plantao.incidente.recorte')} />
        </PictureArea>
      )}
      <EventoClip id={capa_evento_id} autoPlay />
      <Row gap={6}>
        <ButtonLink to="/incidentes/$id" params={{ id }} variant="default" size="sm">
          {t('linhaDoTempo.verIncidente')}
        </ButtonLink>
        <GravadorLink cameraId={camera} iso={inicio} />
      </Row>
    </InfoDialog>
  )
}
