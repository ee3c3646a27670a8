import { queryOptions } from '@tanstack/react-query'
import { autorizacaoSchema } from '@vigia/contracts/autorizacoes'
import { chaveSchema } from '@vigia/contracts/chaves'
import { metadadosRecursoSchema } from '@vigia/contracts/oauth'
import type { Api } from './client.ts'
import { query } from './queries.ts'

/**
 * Agents with access, newest first. `limite`: at most 200. The stream does not report new agents, so they are polled
 * every 10 s.
 */
export const autorizacoesQuery = (api: Api, empresa: number | null, limite: number) =>
  queryOptions({
    queryKey: ['autorizacoes', empresa, limite],
    queryFn: ({ signal }) =>
      api.get(`/autorizacoes${query({ empresa_id: empresa, limit: limite })}`, autorizacaoSchema.array(), signal),
    refetchInterval: 10_000,
  })

/** Number of fetched chaves, newest first. */
export const CHAVES = 200

/** Chaves of one Empresa, or of the whole scope, newest first. */
export const chavesQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['chaves', empresa],
    queryFn: ({ signal }) =>
      api.get(`/chaves${query({ empresa_id: empresa, limit: CHAVES })}`, chaveSchema.array(), signal),
    refetchInterval: 60_000,
  })

/** MCP address that the cloud announces to agents (RFC 9728); its host may differ from that of this page. */
export const enderecoAgentesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['endereco-agentes'],
    queryFn: async ({ signal }) =>
      (await api.getOutside('/.well-known/oauth-protected-resource/mcp', metadadosRecursoSchema, signal)).resource,
    staleTime: 300_000,
  })
