import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useServices } from '../../../session/services.ts'
import { useVisible } from '../../../ui/use-visible.ts'
import { createMosaic, type Mosaic, type Still } from './mosaic.ts'

/** Fetches the pictures of these cameras while the tab is visible. @param grande camera in the large slot */
export function useMosaic(ids: readonly number[], grande: number | null): Mosaic {
  const { api, endSession } = useServices()
  const queries = useQueryClient()
  const isVisible = useVisible()
  const [mosaic] = useState(() =>
    createMosaic({
      stream: api.stream,
      onSessionEnded: endSession,
      onUnknownCamera: () => void queries.invalidateQueries({ queryKey: ['cameras'] }),
    }),
  )
  const wanted = isVisible ? ids.join(',') : ''
  useEffect(() => {
    mosaic.show(wanted === '' ? [] : wanted.split(',').map(Number), grande)
  }, [mosaic, wanted, grande])
  useEffect(() => mosaic.stop, [mosaic])
  return mosaic
}

/** Cameras in which something moved lately. */
export const useMoving = (mosaic: Mosaic): readonly number[] =>
  useSyncExternalStore(mosaic.subscribeMoving, mosaic.moving)

/** The newest picture of a camera; null: none yet. */
export function useStill(mosaic: Mosaic, cameraId: number): Still | null {
  return useSyncExternalStore(
    (listener) => mosaic.subscribe(cameraId, listener),
    () => mosaic.still(cameraId),
  )
}
