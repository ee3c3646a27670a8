import type { QueryClient } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento, MudancaCamera, Queda } from '@vigia/contracts/eventos'
import type { Incidente } from '@vigia/contracts/incidentes'
import { type FiltroQuedas, mergeQueda } from '../api/queda-list.ts'

/** Fetches an open event and the lists of its camera again: a list then has the order and the limit of the API. */
export function applyEvento(queries: QueryClient, evento: Evento): void {
  void queries.invalidateQueries({ queryKey: ['eventos', evento.camera_id] })
  void queries.invalidateQueries({ queryKey: ['evento', evento.id] })
}

/** The message has neither the events nor the earlier answers, so an open detail is fetched again. */
export function applyIncidente(queries: QueryClient, incidente: Incidente): void {
  void queries.invalidateQueries({ queryKey: ['incidente', incidente.id] })
}

/**
 * Applies a change of status or silence to the cached lists of cameras. The change contains neither codec nor
 * resolution. For a camera that came online or is unknown the list is fetched again.
 */
export function applyCamera(queries: QueryClient, change: MudancaCamera): void {
  let stale = false
  for (const [key, list] of queries.getQueriesData<Camera[]>({ queryKey: ['cameras'] })) {
    if (!list) continue
    const known = list.find((camera) => camera.id === change.id)
    const belongs = key[1] === null || key[1] === change.empresa_id
    if ((!known && belongs) || (known && change.status === 'online' && known.status !== 'online')) stale = true
    if (known)
      queries.setQueryData(
        key,
        list.map((camera) => (camera.id === change.id ? updated(camera, change) : camera)),
      )
  }
  queries.setQueryData<Camera>(['camera', change.id], (camera) => camera && updated(camera, change))
  if (stale) void queries.invalidateQueries({ queryKey: ['cameras'] })
}

const updated = (camera: Camera, change: MudancaCamera): Camera => ({
  ...camera,
  ...change,
  ativa: change.status !== 'desativada',
})

/** Merges a queda into each cached list of quedas. The stream has no measurements of edges, so they are fetched. */
export function applyQueda(queries: QueryClient, queda: Queda): void {
  for (const [key, list] of queries.getQueriesData<Queda[]>({ queryKey: ['quedas'] })) {
    if (list) queries.setQueryData(key, mergeQueda(list, queda, key[1] as FiltroQuedas))
  }
  if (queda.camera_id === null) void queries.invalidateQueries({ queryKey: ['edges'] })
}

/** Fetches all data that the stream updates again, because changes may have been missed. */
export function refetchLive(queries: QueryClient): void {
  const kinds = ['incidentes', 'incidente', 'eventos', 'cameras', 'camera', 'evento', 'quedas', 'edges']
  for (const kind of kinds) void queries.invalidateQueries({ queryKey: [kind] })
}
