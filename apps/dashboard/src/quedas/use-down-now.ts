import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { camerasQuery, quedasQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import { downNow, type ForaDoAr, MAX_QUEDAS, openQuedas } from './queda-list.ts'

/** Open quedas of the Empresa that the page shows; empty until they are fetched. */
export function useOpenQuedas() {
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const { data = [] } = useQuery(quedasQuery(api, openQuedas(empresa ?? null), MAX_QUEDAS))
  return data
}

/** Offline edges and cameras of the Empresa that the page shows. */
export function useDownNow(): ForaDoAr {
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const open = useOpenQuedas()
  const { data: cameras = [] } = useQuery(camerasQuery(api, empresa ?? null))
  return downNow(open, cameras)
}
