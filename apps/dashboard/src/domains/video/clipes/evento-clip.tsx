import { Button, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { eventoQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { formErrors } from '../../../ui/form-errors.ts'
import { Heading } from '../../../ui/layout.tsx'
import classes from './clip.module.css'
import { ClipCopy } from './clip-copy.tsx'
import { ClipPlayer } from './clip-player.tsx'
import { refetchMs } from './refetch-ms.ts'

/**
 * The clip of an event, or the reason why it has none, which updates by itself.
 * @param autoPlay it plays at once
 */
export function EventoClip({ id, autoPlay = false }: { id: number; autoPlay?: boolean }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data: evento } = useQuery({
    ...eventoQuery(api, id),
    refetchInterval: ({ state: { data } }) => (data ? refetchMs(data, Date.now()) : false),
  })
  return (
    <section className={classes.clip} aria-label={t('plantao.clipe.titulo')}>
      <Heading>{t('plantao.clipe.titulo')}</Heading>
      {evento ? <Content evento={evento} autoPlay={autoPlay} /> : <Skeleton height={48} />}
    </section>
  )
}

function Content({ evento, autoPlay }: { evento: EventoDetalhe; autoPlay: boolean }) {
  const { t } = useTranslation()
  const [needsCopy, setNeedsCopy] = useState(false)
  const { clip_url, strip_url, clip_deslocamento_ms, clip_detalhe, clip_estado, crop_url, camera_nome } = evento
  if (clip_url === null)
    return (
      <>
        {strip_url !== null && <img className={classes.still} src={strip_url} alt={t('plantao.clipe.tira')} />}
        <div className={classes.missing}>
          <p role="status">{clip_detalhe}</p>
          {clip_estado === 'na_caixa' && <FetchClip id={evento.id} />}
        </div>
      </>
    )
  const player = {
    url: clip_url,
    poster: crop_url,
    camera: camera_nome,
    strip: strip_url,
    startMs: clip_deslocamento_ms ?? 0,
    autoPlay,
  }
  return (
    <>
      {needsCopy ? <ClipCopy {...player} /> : <ClipPlayer {...player} onUnplayable={() => setNeedsCopy(true)} />}
      <Button
        component="a"
        href={clip_url}
        download={`vigia-evento-${evento.id}.mp4`}
        variant="default"
        size="sm"
        leftSection={<IconDownload size={16} aria-hidden="true" />}
      >
        {t('plantao.clipe.baixar')}
      </Button>
    </>
  )
}

/** Requests the upload of a clip that stays on the edge. */
function FetchClip({ id }: { id: number }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const fetching = useMutation({
    mutationFn: () => api.order(`/events/${id}/clip`),
    onSuccess: () => queries.invalidateQueries({ queryKey: eventoQuery(api, id).queryKey }),
  })
  return (
    <>
      <Button variant="default" size="sm" loading={fetching.isPending} onClick={() => fetching.mutate()}>
        {t('plantao.clipe.buscar')}
      </Button>
      {fetching.error && (
        <p className={classes.failure} role="alert">
          {formErrors(fetching.error, []).general}
        </p>
      )}
    </>
  )
}
