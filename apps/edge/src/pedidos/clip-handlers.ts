import type { ClipUploader } from '../clips/clip-uploader.ts'
import type { ClipKeeper } from '../clips/keeping.ts'
import type { Handlers } from './handle-command.ts'

/** Commands about the clips and recordings on the disk. */
export const createClipHandlers = (deps: {
  readonly uploader: Pick<ClipUploader, 'order'>
  readonly keeper: Pick<ClipKeeper, 'discard'>
  /** Ends the fetch of a recording, if it runs. */
  readonly recordings: { cancel(pedido: string): void }
}): Pick<Handlers, 'enviar_clipe' | 'descartar_clipes'> => ({
  async enviar_clipe({ clipe, caminho, token }) {
    const isQueued = deps.uploader.order(clipe, { path: caminho, token })
    return isQueued ? { ok: true, resultado: {} } : { ok: false, falha: 'clipe_desconhecido' }
  },
  async descartar_clipes({ clipes }) {
    for (const clipe of clipes) {
      deps.recordings.cancel(clipe)
      deps.keeper.discard(clipe)
    }
    return { ok: true, resultado: {} }
  },
})
