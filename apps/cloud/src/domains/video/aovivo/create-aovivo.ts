import type { Route } from '../../../http/route.ts'
import type { AskEdge } from '../../locais/public.ts'
import { createLiveViews } from './live-views.ts'
import { createMiniaturas } from './miniaturas.ts'
import { aovivoRoutes } from './routes.ts'

type Deps = Omit<Parameters<typeof aovivoRoutes>[0], 'views' | 'miniaturas'> &
  Pick<Parameters<typeof createLiveViews>[0], 'link' | 'replica'> & { readonly askEdge: AskEdge }

/** Live frames of cameras, and the small pictures of the mosaic. */
export function createAoVivo({ link, replica, askEdge, ...deps }: Deps) {
  const views = createLiveViews({ link, replica, askEdge, log: deps.log })
  const miniaturas = createMiniaturas({ link, replica, askEdge, log: deps.log })
  return {
    routes: (): Route[] => aovivoRoutes({ ...deps, views, miniaturas }),
    stop() {
      miniaturas.stop()
      views.stop()
    },
  }
}
