import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from './public-routes.ts'

/**
 * The page `/ui` with every widget, only in a build with `--mode screenshots`. Vite replaces the condition by its
 * value, so that the shipped build contains neither the route nor the page. No link leads to it: its type is an empty
 * list.
 */
export const uiRoutes =
  import.meta.env.MODE === 'screenshots'
    ? ([
        createRoute({
          getParentRoute: () => rootRoute,
          path: '/ui',
          component: lazyRouteComponent(() => import('../pages/ui/ui-page.tsx'), 'UiPage'),
        }),
      ] as never as [])
    : ([] as [])
