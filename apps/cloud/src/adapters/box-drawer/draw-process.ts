import { drawBoxes } from '@vigia/vision/draw-boxes'
import type { Drawing, Drawn } from './box-drawer.ts'

/**
 * The process that draws boxes on pictures, one after the other. A separate process, because a picture from outside may
 * crash the native decoder, or make it hang.
 */
const send = (
  message: (Drawn & { readonly tipo: 'imagem'; readonly id: number }) | { readonly tipo: 'pronto' },
): void => {
  process.send?.(message)
}

// Ctrl-C and a stop of the service reach the whole process group, but only the cloud ends this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The cloud process has ended.
process.once('disconnect', () => process.exit(0))

let last: Promise<void> = Promise.resolve()

process.on('message', (message) => {
  const { id, jpeg, boxes } = message as Drawing & { readonly id: number }
  last = last.then(async () => {
    const drawn = await drawBoxes(Buffer.from(jpeg), boxes).catch(() => null)
    send({ tipo: 'imagem', id, drawn })
  })
})
send({ tipo: 'pronto' })
