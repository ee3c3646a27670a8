import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { downNow, type ForaDoAr, MAX_QUEDAS, openQuedas } from '../../../api/queda-list.ts'
import { camerasQuery, quedasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'

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
