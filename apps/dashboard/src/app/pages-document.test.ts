import { expect, it } from 'vitest'
import document from '../../../../docs/reference/pages.md?raw'
import type { Services } from '../session/services.ts'
import { createPageRouter } from './router.tsx'

it('docs/reference/pages.md has a row for each address of the dashboard, and no other', () => {
  // Routes are only listed: nothing of the services is used.
  const { routesByPath } = createPageRouter({} as Services)
  const addresses = Object.keys(routesByPath).map((path) => path.replaceAll(/\$(\w+)/g, '{$1}'))
  const rows = [...document.matchAll(/^\| [^|]+ \| `(\/[^`]*)` \|/gm)].map(([, address]) => address ?? '')
  expect(rows.toSorted()).toEqual(addresses.toSorted())
})
