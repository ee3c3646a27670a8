import { z } from 'zod'
import type { ErrorStatus } from './errors.ts'
import type { Route } from './route.ts'

type Declaration = Pick<Route, 'acesso' | 'method' | 'navegacao' | 'params' | 'query' | 'json' | 'form' | 'erros'>

/**
 * The statuses by which `route` may refuse, ascending: those that follow from its declaration (access, an id that may be
 * out of scope, an input that may be wrong) and its own `erros`. The API reference lists them; the tests take no other.
 */
export function declaredErrors(route: Declaration): ErrorStatus[] {
  const { acesso, method, params, query, json, form, erros = [] } = route
  const inputs = [params, query, json, form].filter((schema) => schema !== undefined)
  const statuses = new Set<ErrorStatus>(erros)
  if (acesso !== 'publico' && !route.navegacao) statuses.add(401)
  // The role, a cookie that another site's page makes the browser send, an API key where none is taken, or a login that has
  // to turn its second factor on first.
  if (acesso !== 'publico') statuses.add(403)
  if ([params, query, json].some(namesRecord)) statuses.add(404)
  if (json || form) statuses.add(413)
  if (inputs.length > 0) statuses.add(422)
  // A full disk.
  if (method !== 'get') statuses.add(503)
  return [...statuses].sort((a, b) => a - b)
}

/** Fields that name a record, which may be missing or belong to somebody else. */
const identifier = /^(id|(empresa|usuario|camera|gravador|event|canal|edge)_id)$/

const namesRecord = (schema: z.ZodType | undefined): boolean =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).some((field) => identifier.test(field))
