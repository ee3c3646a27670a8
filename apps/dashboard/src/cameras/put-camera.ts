import type { QueryClient } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'

/** Writes the answer to a change into the cached lists, then fetches them, because the order may have changed. */
export function putCamera(queries: QueryClient, saved: Camera): void {
  queries.setQueriesData<Camera[]>({ queryKey: ['cameras'] }, (list) =>
    list?.map((camera) => (camera.id === saved.id ? saved : camera)),
  )
  void queries.invalidateQueries({ queryKey: ['cameras'] })
}
