import type { QueryClient } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'

/** Writes the answer to a change into the caches, then fetches the lists, because the order may have changed. */
export function putCamera(queries: QueryClient, saved: Camera): void {
  queries.setQueriesData<Camera[]>({ queryKey: ['cameras'] }, (list) =>
    list?.map((camera) => (camera.id === saved.id ? saved : camera)),
  )
  queries.setQueryData(['camera', saved.id], saved)
  void queries.invalidateQueries({ queryKey: ['cameras'] })
}
