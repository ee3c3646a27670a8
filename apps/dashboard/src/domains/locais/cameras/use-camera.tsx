import { useRouteContext } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { createContext, use } from 'react'

export const CameraContext = createContext<Camera | null>(null)

/** The camera of the current page. */
export function useCamera(): Camera {
  const camera = use(CameraContext)
  if (!camera) throw new Error('CameraContext is missing')
  return camera
}

/** Whether the login may silence cameras. */
export function useMayWork(): boolean {
  const { me } = useRouteContext({ from: '/painel' })
  return me.papel !== 'usuario'
}

/** Whether the login may change cameras. */
export function useMayWrite(): boolean {
  const { me } = useRouteContext({ from: '/painel' })
  return me.papel === 'administrador'
}
