import { z } from 'zod'
import type { ErrorStatus } from './errors.ts'
import type { Route } from './route.ts'

type Declaration = Pick<Route, 'method' | 'acesso' | 'navegacao' | 'params' | 'query' | 'json' | 'form' | 'erros'>

/**
 * Error statuses of `route`, ascending: its own `erros` and those that follow from its access, ids and inputs. The API
 * reference lists them, and tests accept no other.
 */
export function declaredErrors(route: Declaration): ErrorStatus[] {
  const { method, acesso, params, query, json, form, erros = [] } = route
  const inputs = [params, query, json, form].filter((schema) => schema !== undefined)
  const statuses = new Set<ErrorStatus>(erros)
  if (acesso !== 'publico' && !route.navegacao) statuses.add(401)
  // Causes: the role, a cookie from another site's page, an API key on a route without keys, a second factor that is
  // not enabled.
  if (acesso !== 'publico') statuses.add(403)
  // Cause: the rate of changes of an account.
  if (acesso !== 'publico' && acesso !== 'edge' && method !== 'get') statuses.add(429)
  if ([params, query, json].some(namesRecord)) statuses.add(404)
  if (json || form) statuses.add(413)
  if (inputs.length > 0) statuses.add(422)
  // Causes: a full disk, a database or an object store that does not answer.
  statuses.add(503)
  return [...statuses].sort((a, b) => a - b)
}

/** Fields with the id of a record, which may be missing or out of scope. */
const identifier = /^(id|(empresa|usuario|camera|gravador|event|incidente|canal|edge)_id)$/

const namesRecord = (schema: z.ZodType | undefined): boolean =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).some((field) => identifier.test(field))
