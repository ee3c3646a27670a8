import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

export const useFullScreen = (): boolean => useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)

/** Must be called from a click or a key. Browsers without full screen (iPhone) change nothing. */
export function toggleFullScreen(): void {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.()
  change?.catch((error: unknown) => console.warn('vigia: tela cheia recusada', error))
}
