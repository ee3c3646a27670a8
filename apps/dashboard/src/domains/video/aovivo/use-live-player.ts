import type { Camera } from '@vigia/contracts/cameras'
import type { Fluxo } from '@vigia/contracts/transmissao'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { meQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { type AttemptEnd, firstAttempt, nextAttempt } from './live-attempt.ts'
import { startLivePlayer } from './live-player.ts'

export interface LivePlayerState {
  /** `parou`: pictures have stopped, although the connection is open. */
  readonly estado: 'chama' | 'toca' | 'parou'
  /** Why there is no picture; null: unknown or none. */
  readonly motivo: string | null
  /** How the last attempt ended without a picture since; null: it plays, or is the first. */
  readonly fim: AttemptEnd | null
  /** Why the stream is not the requested one. */
  readonly aviso: string | null
  /** Video of this camera is impossible: show single frames. */
  readonly quadros: boolean
}

interface Wanted {
  readonly camera: Pick<Camera, 'id' | 'sub_rtsp_url'>
  readonly fluxo: Fluxo
  readonly prioridade: 'aberta' | 'mosaico'
  readonly onSize?: ((width: number, height: number) => void) | undefined
  readonly onAudio?: ((hasAudio: boolean) => void) | undefined
}

const pathOf = (id: number, fluxo: Fluxo, prioridade: string): string =>
  `/api/v1/cameras/${id}/transmissao?fluxo=${fluxo}&prioridade=${prioridade}`

const socketAddress = (path: string): string => {
  const { protocol, host } = location
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}`
}

/** Plays live video of a camera in a video element, and connects again by itself. The component needs a key of both. */
export function useLivePlayer(
  video: RefObject<HTMLVideoElement | null>,
  { camera, fluxo, prioridade, onSize, onAudio }: Wanted,
): LivePlayerState {
  const { api, queries, ownAddress } = useServices()
  const [attempt, setAttempt] = useState(() => firstAttempt(fluxo))
  const [estado, setEstado] = useState<LivePlayerState['estado']>('chama')
  const [motivo, setMotivo] = useState<string | null>(null)
  const [fim, setFim] = useState<AttemptEnd | null>(null)
  const [aviso, setAviso] = useState<string | null>(null)
  const hasSub = camera.sub_rtsp_url !== null

  const onPlaying = useEffectEvent(() => {
    setEstado('toca')
    setMotivo(null)
    setFim(null)
  })
  const addressOf = useEffectEvent((path: string) => socketAddress(ownAddress(path)))
  const onPicture = useEffectEvent((width: number, height: number) => onSize?.(width, height))
  const onHeard = useEffectEvent((hasAudio: boolean) => onAudio?.(hasAudio))
  const onOver = useEffectEvent((end: AttemptEnd, detail: string | null) => {
    setEstado('chama')
    setMotivo(detail)
    setFim(end)
    setAttempt((before) => nextAttempt(before, end, { hasSub, played: estado === 'toca' }))
  })

  useEffect(() => {
    if (attempt.quadros) return
    let stop = () => {}
    const timer = setTimeout(() => {
      const element = video.current
      if (!element) return
      stop = startLivePlayer(element, addressOf(pathOf(camera.id, attempt.fluxo, prioridade)), {
        onPlaying,
        onStalled: () => setEstado('parou'),
        onStream: (stream) => setAviso(stream.aviso),
        onWaiting: setMotivo,
        onSize: onPicture,
        onAudio: onHeard,
        onUnsupported: () => onOver('nao_decodifica', null),
        onEnd(end) {
          const motivo = end?.motivo ?? 'caiu'
          // The session, or only the access to this camera: a query without a session opens the sign-in page.
          if (motivo === 'sessao') void queries.prefetchQuery({ ...meQuery(api), staleTime: 0 })
          onOver(motivo === 'sessao' ? 'offline' : motivo, end?.detail ?? null)
        },
      })
    }, attempt.pauseMs)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [attempt, camera.id, prioridade, video, api, queries])

  return { estado, motivo, fim, aviso, quadros: attempt.quadros }
}
