import { constants, setPriority } from 'node:os'
import { coverFile } from './cover-file.ts'
import type { CoverAnswer, CoverRequest } from './protocol.ts'

/**
 * Covers one recording and answers. A process of its own, so that a recording that crashes the decoder interrupts
 * neither the main process nor a camera. Detection comes first, so it has a low priority.
 */

setPriority(constants.priority.PRIORITY_LOW)
// Skips the native destructors. The kernel releases all resources.
const die = () => process.kill(process.pid, 'SIGKILL')

// The main process ends this process; Ctrl-C in the terminal reaches both.
process.on('SIGINT', () => {})
process.on('disconnect', die)
process.once('message', (request: CoverRequest) => {
  const failed: CoverAnswer = { ok: false, falha: 'interno' }
  // The callback prevents an exception when the channel closes; `disconnect` handles that case.
  const answer = (covered: CoverAnswer) => process.send?.(covered, undefined, {}, () => {})
  coverFile(request).then(answer, () => answer(failed))
})
