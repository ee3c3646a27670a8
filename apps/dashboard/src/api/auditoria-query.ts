import { infiniteQueryOptions } from '@tanstack/react-query'
import { type CanalAuditoria, type ObjetoAuditoria, registroAuditoriaSchema } from '@vigia/contracts/auditoria'
import type { Api } from './client.ts'
import { nextOffset, query } from './queries.ts'

/** Records per page of the audit log. */
const REGISTROS = 50

/** Filter of the audit records; null: all. */
interface FiltroAuditoria {
  readonly empresa: number | null
  /** Id of the login. */
  readonly pessoa: number | null
  readonly coisa: ObjetoAuditoria | null
  readonly porta: CanalAuditoria | null
  /** ISO 8601; `desde` is inclusive, `ate` exclusive. */
  readonly desde: string | null
  readonly ate: string | null
}

/** Audit records in pages, newest first. */
export const auditoriaQuery = (api: Api, filtro: FiltroAuditoria) =>
  infiniteQueryOptions({
    queryKey: ['auditoria', filtro],
    queryFn: ({ pageParam, signal }) => {
      const { empresa, pessoa, coisa, porta, desde, ate } = filtro
      const filters = { empresa_id: empresa, usuario_id: pessoa, objeto: coisa, canal: porta, desde, ate }
      const path = `/auditoria${query({ ...filters, limit: REGISTROS, offset: pageParam })}`
      return api.get(path, registroAuditoriaSchema.array(), signal)
    },
    initialPageParam: 0,
    getNextPageParam: nextOffset(REGISTROS),
    // New records appear at the top and move others to the next page; audit-list.ts removes duplicates.
    refetchInterval: 60_000,
  })
