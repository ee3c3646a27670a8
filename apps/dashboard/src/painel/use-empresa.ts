import { useQuery } from '@tanstack/react-query'
import { empresasQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import type { Fuso } from '../tempo/format-time.ts'

interface Place {
  readonly nome: string | null
  readonly fuso: Fuso
}

/** Name and time zone of an Empresa; both null until they are known. */
export function useEmpresa(id: number): Place {
  const { api } = useServices()
  const { data } = useQuery(empresasQuery(api))
  const empresa = data?.find((one) => one.id === id)
  return { nome: empresa?.nome ?? null, fuso: empresa?.fuso_horario ?? null }
}
