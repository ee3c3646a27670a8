import type { Route } from '../../http/route.ts'
import { createLiveStreams } from './live-streams.ts'
import { transmissoesRoutes } from './routes.ts'

type Deps = Omit<Parameters<typeof transmissoesRoutes>[0], 'streams'> & Parameters<typeof createLiveStreams>[0]

/** Live video: its uploads, its viewers over WebSocket and over HLS. */
export function createTransmissoes(deps: Deps) {
  const streams = createLiveStreams(deps)
  return { routes: (): Route[] => transmissoesRoutes({ ...deps, streams }), stop: streams.stop }
}
