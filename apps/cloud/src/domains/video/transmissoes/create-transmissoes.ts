import type { Config } from '../../../config.ts'
import type { Route } from '../../../http/route.ts'
import { createLiveStreams } from './live-streams.ts'
import { transmissoesRoutes } from './routes.ts'
import { createUploadRates } from './upload-rates.ts'
import { createWindowBudget } from './window-budget.ts'

type Deps = Omit<Parameters<typeof transmissoesRoutes>[0], 'streams' | 'rates'> &
  Omit<Parameters<typeof createLiveStreams>[0], 'rates' | 'budget'> & {
    readonly config: Pick<Config, 'aoVivoBytes'>
    /** Monotonic clock in ms. */
    readonly monotonic: () => number
  }

/** Live video: its uploads, its viewers over WebSocket and over HLS. */
export function createTransmissoes({ config, monotonic, ...deps }: Deps) {
  const rates = createUploadRates(monotonic)
  const streams = createLiveStreams({ ...deps, rates, budget: createWindowBudget(config.aoVivoBytes) })
  return { routes: (): Route[] => transmissoesRoutes({ ...deps, streams, rates }), stop: streams.stop }
}
