import { remotePictures } from '@vigia/vision/remote-pictures'
import type { PedidoImagens, RespostaImagens } from './vlm-protocol.ts'

/**
 * Decodes pictures of edges and encodes them for an external verifier. A separate process, because a crash of the
 * native decoder ends only this process.
 */
const send = (message: RespostaImagens | { readonly tipo: 'pronto' }): void => {
  process.send?.(message)
}

// Ctrl-C and a stop of the service reach the whole process group, but only the cloud ends this process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The cloud process has ended.
process.once('disconnect', () => process.exit(0))

process.on('message', (message) => {
  const { id, crop, quadro } = message as PedidoImagens & { readonly id: number }
  const pictures = { crop: Buffer.from(crop), frame: quadro === null ? null : Buffer.from(quadro) }
  remotePictures(pictures).then(
    ({ cut, frame }) => send({ tipo: 'imagens', id, cut, frame }),
    (error: unknown) => send({ tipo: 'falha', id, detalhe: error instanceof Error ? error.message : String(error) }),
  )
})
send({ tipo: 'pronto' })
