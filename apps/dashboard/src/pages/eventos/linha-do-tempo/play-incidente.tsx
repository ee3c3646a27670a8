import { useQuery } from '@tanstack/react-query'
import type { LinhaDaCamera } from '@vigia/contracts/linha-do-tempo'
import { useTranslation } from 'react-i18next'
import { eventoQuery } from '../../../api/queries.ts'
import { EventoClip } from '../../../domains/video/clipes/evento-clip.tsx'
import { GravadorLink } from '../../../domains/video/clipes/gravador-link.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { PictureArea, PlainPicture } from '../../../ui/boxed-picture.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { InfoDialog } from '../../../ui/info-dialog.tsx'
import { Row } from '../../../ui/layout.tsx'
import { useEntryWords } from './entries.ts'

interface PlayIncidenteProps {
  readonly lines: readonly LinhaDaCamera[]
  /** The incidente; one of another day is not shown. */
  readonly id: number
  readonly onClose: () => void
}

/** Plays the clip of an incidente of the lines. */
export function PlayIncidente({ lines, id, onClose }: PlayIncidenteProps) {
  const line = lines.find(({ incidentes }) => incidentes.some((one) => one.id === id))
  const incidente = line?.incidentes.find((one) => one.id === id)
  return line && incidente && <Player line={line} incidente={incidente} onClose={onClose} />
}

interface PlayerProps {
  readonly line: LinhaDaCamera
  readonly incidente: LinhaDaCamera['incidentes'][number]
  readonly onClose: () => void
}

/** The clip of an incidente, or why there is none; the recorder may have the time. */
function Player({ line, incidente, onClose }: PlayerProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { fuso } = useEmpresa(line.empresa_id)
  const words = useEntryWords(fuso)
  const { id, inicio, capa_evento_id } = incidente
  const entry = { key: '', em: inicio, at: 0, incidente, queda: null }
  const { data: evento } = useQuery(eventoQuery(api, capa_evento_id))
  return (
    <InfoDialog title={t('linhaDoTempo.assistir', { ...words(entry), camera: line.camera_nome })} onClose={onClose}>
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
        <GravadorLink cameraId={line.camera_id} iso={inicio} />
      </Row>
    </InfoDialog>
  )
}
