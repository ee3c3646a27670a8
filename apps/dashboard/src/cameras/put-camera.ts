import type { QueryClient } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'

/** Puts the central's answer to a change into the lists at once, then fetches them: the order may have changed. */
export function putCamera(queries: QueryClient, saved: Camera): void {
  queries.setQueriesData<Camera[]>({ queryKey: ['cameras'] }, (list) =>
    list?.map((camera) => (camera.id === saved.id ? saved : camera)),
  )
  void queries.invalidateQueries({ queryKey: ['cameras'] })
}
