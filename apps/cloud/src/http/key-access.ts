import { VigiaError } from '@vigia/contracts/errors'
import type { Route } from './route.ts'

/**
 * First path segments below `/api/v1` that an API key reaches. Everything else refuses one, also a noun that is new: who
 * signs in, sessions, keys and the access of agents must never depend on a key.
 */
const reached = new Set([
  'empresas',
  'limites',
  'cameras',
  'cameras-count',
  'gravadores',
  'calibracao',
  'edges',
  'events',
  'crops',
  'metrics',
  'lacunas',
  'quedas',
  'sse',
  'ws',
  'notificacoes',
  'auditoria',
  'pendencias',
  'verificacao',
])

/** Below a noun that a key reaches. */
const refused = new Set(['delete /api/v1/empresas/{empresa_id}'])

/** Whether an API key may call a route at all; its scope decides the rest, as for a login. */
export function keyMayCall({ method, path }: Pick<Route, 'method' | 'path'>): boolean {
  const segment = /^\/api\/v1\/([^/]+)/.exec(path)?.[1]
  return segment !== undefined && reached.has(segment) && !refused.has(`${method} ${path}`)
}

/** @throws VigiaError `proibido` for a route that no key may call. */
export function requireKeyAccess(route: Pick<Route, 'method' | 'path'>): void {
  if (!keyMayCall(route))
    throw new VigiaError('proibido', {
      detalhe: 'Uma chave de integração não faz isto. Entre com um login.',
    })
}
