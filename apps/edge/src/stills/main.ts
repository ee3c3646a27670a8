import type { StillAnswer, StillRequest } from './protocol.ts'
import { takeStill } from './take-still.ts'

/**
 * Takes single pictures of streams that no camera reads. A process of its own, so that a stream that crashes the
 * decoder interrupts neither the main process nor a camera.
 */

// Skips the native destructors: under threads that still read they abort. The kernel releases all resources.
const die = () => process.kill(process.pid, 'SIGKILL')

// The main process ends this process; Ctrl-C in the terminal reaches both.
process.on('SIGINT', () => {})
process.on('disconnect', die)
process.on('message', (request: StillRequest) => {
  const failed: StillAnswer = { ticket: request.ticket, still: null, failure: 'erro_desconhecido', detail: null }
  // The callback prevents an exception when the channel closes; `disconnect` handles that case.
  const answer = (taken: StillAnswer) => process.send?.(taken, undefined, {}, () => {})
  takeStill(request).then(answer, () => answer(failed))
})
