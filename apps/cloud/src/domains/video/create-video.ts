import type { Route } from '../../http/route.ts'
import { createAoVivo } from './aovivo/create-aovivo.ts'
import { createClipUploads } from './clipes/clip-uploads.ts'
import { createGravacoes } from './clipes/gravacoes/create-gravacoes.ts'
import { createTransmissoes } from './transmissoes/create-transmissoes.ts'

type Deps = Parameters<typeof createAoVivo>[0] &
  Parameters<typeof createTransmissoes>[0] &
  Parameters<typeof createClipUploads>[0] &
  Parameters<typeof createGravacoes>[0]

/** Video: live pictures and live streams, clips, and parts of recorders' archives. */
export function createVideo(deps: Deps) {
  const live = [createAoVivo(deps), createTransmissoes(deps)]
  const stored = [createClipUploads(deps), createGravacoes(deps)]
  return {
    live,
    services: stored.flatMap(({ services }) => services),
    routes: (): Route[] => [...live, ...stored].flatMap((part) => part.routes()),
  }
}
