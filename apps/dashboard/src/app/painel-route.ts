import { createRoute, type lazyRouteComponent, redirect, retainSearchParams } from '@tanstack/react-router'
import { VigiaError } from '@vigia/contracts/errors'
import { meQuery } from '../api/queries.ts'
import { idParam } from '../base/search-params.ts'
import { mustEnrol } from '../session/must-enrol.ts'
import type { Area } from '../texts/areas.ts'
import { CrashPage } from '../ui/crash-page.tsx'
import { Painel } from './painel/painel.tsx'
import { PainelSkeleton } from './painel/painel-skeleton.tsx'
import { type Raw, rootRoute, texts } from './public-routes.ts'

/** Page on which a login turns on its second factor. */
export const CONTA = '/conta'

/** Parent of all pages behind the sign-in. */
export const painelRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'painel',
  component: Painel,
  pendingComponent: PainelSkeleton,
  errorComponent: CrashPage,
  validateSearch: (raw: Raw) => idParam('empresa', raw.empresa),
  search: { middlewares: [retainSearchParams(['empresa'])] },
  async beforeLoad({ context, location }) {
    const me = await context.queries.ensureQueryData(meQuery(context.api)).catch((error: unknown) => {
      if (!(error instanceof VigiaError) || error.code !== 'nao_autenticado') throw error
      context.rememberPath()
      throw redirect({ to: '/login' })
    })
    if (mustEnrol(me) && location.pathname !== CONTA) throw redirect({ to: CONTA })
    return { me }
  },
})

/** A page without search parameters. */
export const painelPage = <P extends string>(
  path: P,
  component: ReturnType<typeof lazyRouteComponent>,
  ...areas: readonly Area[]
) => createRoute({ getParentRoute: () => painelRoute, path, component, loader: texts(...areas) })
