import type { Picture, PictureRequest } from '../capture/model.ts'
import type { CaptureChild } from './child.ts'

/** Pictures requested from capture processes and not yet answered. */
export interface PictureRequests {
  /** null: the process has no picture, has ended, or `signal` aborted. */
  ask(child: CaptureChild, cameraId: number, request: PictureRequest, signal: AbortSignal): Promise<Picture | null>
  answered(ticket: number, picture: Picture | null): void
  gone(child: CaptureChild): void
}

export function createPictureRequests(): PictureRequests {
  const waiting = new Map<number, { readonly child: CaptureChild; end(picture: Picture | null): void }>()
  let nextTicket = 1

  return {
    async ask(child, cameraId, request, signal) {
      if (signal.aborted) return null
      const ticket = nextTicket++
      const { promise, resolve } = Promise.withResolvers<Picture | null>()
      const abort = () => resolve(null)
      waiting.set(ticket, { child, end: resolve })
      signal.addEventListener('abort', abort)
      child.send({ kind: 'picture', ticket, cameraId, request })
      try {
        return await promise
      } finally {
        waiting.delete(ticket)
        signal.removeEventListener('abort', abort)
      }
    },
    answered: (ticket, picture) => waiting.get(ticket)?.end(picture),
    gone(child) {
      for (const one of waiting.values()) if (one.child === child) one.end(null)
    },
  }
}
