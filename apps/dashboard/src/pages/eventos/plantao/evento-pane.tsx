import { Button } from '@mantine/core'
import { IconPhoto, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { eventoQuery } from '../../../api/queries.ts'
import { EventoFrame } from '../../../domains/eventos/incidentes/evento-frame.tsx'
import { zoneOutline } from '../../../domains/eventos/incidentes/zone-outline.ts'
import { refetchMs } from '../../../domains/video/clipes/refetch-ms.ts'
import { useServices } from '../../../session/services.ts'
import { BoxedClip, PictureArea } from '../../../ui/boxed-picture.tsx'
import classes from './evento-pane.module.css'

interface EventoPaneProps {
  readonly evento: Evento
  readonly camera: Camera | undefined
}

/** A person who asks for less movement starts the clip by the button. */
const movesLess = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The event as a loop of its clip, or as its whole frame until the clip arrives, with what was seen drawn on it. */
export function EventoPane({ evento, camera }: EventoPaneProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const [showsClip, setShowsClip] = useState(() => !movesLess())
  const [isUnplayable, setUnplayable] = useState(false)
  const { data } = useQuery({
    ...eventoQuery(api, evento.id),
    refetchInterval: ({ state: { data } }) => (data ? refetchMs(data, Date.now()) : false),
  })
  const url = isUnplayable ? null : (data?.clip_url ?? null)
  const zonas = camera?.zonas ?? []
  const Icon = showsClip ? IconPhoto : IconPlayerPlay
  return (
    <>
      {url !== null && showsClip ? (
        <PictureArea>
          <BoxedClip
            key={url}
            src={url}
            label={t('plantao.clipe.video', { camera: evento.camera_nome })}
            seenAtMs={data?.clip_deslocamento_ms ?? null}
            rectangles={evento.caixas}
            outline={zoneOutline(zonas, evento.zona)}
            onError={() => setUnplayable(true)}
          />
        </PictureArea>
      ) : (
        <EventoFrame evento={evento} zonas={zonas} />
      )}
      {url !== null && (
        <Button
          className={classes.toggle}
          size="compact-sm"
          variant="default"
          leftSection={<Icon size={14} aria-hidden="true" />}
          onClick={() => setShowsClip(!showsClip)}
        >
          {t(showsClip ? 'plantao.clipe.verImagem' : 'plantao.clipe.titulo')}
        </Button>
      )}
    </>
  )
}
