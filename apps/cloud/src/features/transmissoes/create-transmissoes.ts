import type { Route } from '../../http/route.ts'
import { createLiveStreams } from './live-streams.ts'
import { transmissoesRoutes } from './routes.ts'
import { createUploadRates } from './upload-rates.ts'
import { createWindowBudget } from './window-budget.ts'

type Deps = Omit<Parameters<typeof transmissoesRoutes>[0], 'streams' | 'rates'> &
  Omit<Parameters<typeof createLiveStreams>[0], 'rates' | 'budget'> & {
    /** Memory of the windows of all streams. */
    readonly windowBytes: number
    /** Monotonic clock in ms. */
    readonly monotonic: () => number
  }

/** Live video: its uploads, its viewers over WebSocket and over HLS. */
export function createTransmissoes({ windowBytes, monotonic, ...deps }: Deps) {
  const rates = createUploadRates(monotonic)
  const streams = createLiveStreams({ ...deps, rates, budget: createWindowBudget(windowBytes) })
  return { routes: (): Route[] => transmissoesRoutes({ ...deps, streams, rates }), stop: streams.stop }
}
