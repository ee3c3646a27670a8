import type { StreamWindow } from '../../domains/video/transmissoes/stream-window.ts'

/** `window` for one reader, and the number of listeners that the reader has now. */
export function countedWindow(window: StreamWindow): { counted: StreamWindow; listeners: () => number } {
  let listeners = 0
  const subscribe = (listener: () => void) => {
    listeners++
    const leave = window.subscribe(listener)
    return () => {
      listeners--
      leave()
    }
  }
  return { counted: Object.create(window, { subscribe: { value: subscribe } }), listeners: () => listeners }
}
