import { useQuery } from '@tanstack/react-query'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { empresasQuery } from '../api/queries.ts'
import type { Fuso } from '../base/tempo/format-time.ts'
import { useServices } from './services.ts'

interface EmpresaZone {
  readonly nome: string | null
  readonly fuso: Fuso
}

/**
 * Name and time zone of an Empresa; both null until they are fetched. Without an Empresa the zone is FUSO_PADRAO, as in
 * the cloud.
 */
export function useEmpresa(id: number | null): EmpresaZone {
  const { api } = useServices()
  const { data } = useQuery(empresasQuery(api))
  if (id === null) return { nome: null, fuso: FUSO_PADRAO }
  const empresa = data?.find((one) => one.id === id)
  return { nome: empresa?.nome ?? null, fuso: empresa?.fuso_horario ?? null }
}
