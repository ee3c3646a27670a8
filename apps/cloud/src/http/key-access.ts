import { VigiaError } from '@vigia/contracts/errors'
import type { Route } from './route.ts'

/**
 * First path segments below `/api/v1` that accept an API key. All others refuse keys, also new nouns. Logins, sessions,
 * keys and the access of agents must never depend on a key.
 */
const reached = new Set([
  'empresas',
  'limites',
  'cameras',
  'cameras-count',
  'miniaturas',
  'gravadores',
  'calibracao',
  'edges',
  'events',
  'incidentes',
  'busca',
  'relatorios',
  'concordancia',
  'treinamento',
  'linha-do-tempo',
  'crops',
  'metrics',
  'lacunas',
  'quedas',
  'sse',
  'ws',
  'notificacoes',
  'auditoria',
  'pendencias',
  'placas',
  'passagens',
  'verificacao',
])

/** Exceptions below a noun that accepts keys. */
const refused = new Set([
  'delete /api/v1/empresas/{empresa_id}',
  'post /api/v1/empresas/{empresa_id}/encerrar-demonstracao',
  'post /api/v1/cameras/{camera_id}/ptz',
  'post /api/v1/cameras/{camera_id}/gravacoes',
  'post /api/v1/empresas/{empresa_id}/apagamentos',
])

/** Whether an API key may call the route. Its scope and role are checked later, as for a login. */
export function keyMayCall({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  const segment = /^\/api\/v1\/([^/]+)/.exec(path)?.[1]
  return segment !== undefined && reached.has(segment) && !refused.has(`${method} ${path}`)
}

/** @throws VigiaError `proibido` for a route without API keys. */
export function requireKeyAccess(route: Pick<Route, 'method' | 'path'>): void {
  if (!keyMayCall(route))
    throw new VigiaError('proibido', {
      detalhe: 'Uma chave de integração não faz isto. Entre com um login.',
    })
}
