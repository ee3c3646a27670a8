import { Button, Skeleton } from '@mantine/core'
import { IconPhotoOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { VigiaError } from '@vigia/contracts/errors'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import classes from './canais.module.css'

export interface CanalPictureProps {
  /** Number of the discovery: its pictures are not those of the next one. */
  readonly visit: number
  readonly canal: number
  /** Body of the request. */
  readonly request: object
  /** Runs a few requests at a time. */
  readonly limited: <T>(task: () => Promise<T>) => Promise<T>
  /** The request ended: with a picture, or with a failure. */
  readonly onEnd: (came: boolean) => void
}

/** Picture of a canal that is no camera yet. */
export function CanalPicture({ visit, canal, request, limited, onEnd }: CanalPictureProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['imagem-canal', visit, canal],
    async queryFn({ signal }) {
      try {
        const picture = await limited(() => api.picture('/gravadores/imagem', { ...request, canal }, signal))
        onEnd(true)
        return picture
      } catch (error) {
        // A page that is left says nothing about the canal.
        if (!signal.aborted) onEnd(false)
        throw error
      }
    },
    // Each request is a login at the recorder, so that only the user repeats it.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const url = useObjectUrl(data)
  if (url !== null)
    return (
      <img className={classes.picture} src={url} alt={t('gravadores.imagem', { numero: canal })} draggable={false} />
    )
  if (!error || isFetching) return <Skeleton className={classes.picture} />
  return (
    <div className={classes.noPicture}>
      <IconPhotoOff size={26} aria-hidden="true" />
      <p>{error instanceof VigiaError ? error.detalhe : t('gravadores.semImagem')}</p>
      <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
        {t('comum.tentarDeNovo')}
      </Button>
    </div>
  )
}

/** Address of the blob for an image, until the blob changes. */
function useObjectUrl(blob: Blob | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!blob) return setUrl(null)
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return url
}
