import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { camerasQuery, quedasQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import { downNow, type ForaDoAr, MAX_QUEDAS, openOutages } from './outage-list.ts'

/** The outages that go on in what the page shows; none until they are known. */
export function useOpenOutages() {
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const { data = [] } = useQuery(quedasQuery(api, openOutages(empresa ?? null), MAX_QUEDAS))
  return data
}

/** What is down now in what the page shows. */
export function useDownNow(): ForaDoAr {
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const open = useOpenOutages()
  const { data: cameras = [] } = useQuery(camerasQuery(api, empresa ?? null))
  return downNow(open, cameras)
}
