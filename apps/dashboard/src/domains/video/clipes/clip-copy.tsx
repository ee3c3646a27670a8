import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { formErrors } from '../../../ui/form-errors.ts'
import classes from './clip.module.css'
import { ClipPlayer, type ClipPlayerProps } from './clip-player.tsx'

const AGAIN_MS = 2_000

/** A clip for a browser that could not play the original: waits for the H.264 copy, then plays it. */
export function ClipCopy(props: ClipPlayerProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const url = `${props.url}?formato=h264`
  const { data: isMade, error } = useQuery({
    queryKey: ['copia', url],
    queryFn: ({ signal }) => api.isMade(url, signal),
    refetchInterval: ({ state }) => (state.data === false && !state.error ? AGAIN_MS : false),
    retry: false,
  })
  if (error)
    return (
      <p role="alert">
        {formErrors(error, []).general}{' '}
        <a href={props.url} download>
          {t('plantao.clipe.baixar')}
        </a>
      </p>
    )
  if (!isMade)
    return (
      <p className={classes.copying} role="status">
        <Loader size="xs" aria-hidden="true" /> {t('plantao.clipe.copiando')}
      </p>
    )
  return (
    <>
      <ClipPlayer {...props} url={url} original={props.url} />
      <p className={classes.hint}>{t('plantao.clipe.copia')}</p>
    </>
  )
}
