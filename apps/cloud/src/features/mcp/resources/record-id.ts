import type { idLongoTexto, idTexto } from '@vigia/contracts/values'
import { notFound } from '../../../http/caller.ts'

/**
 * The id in the address of a resource, as a route takes it.
 * @param schema of the route's own parameter
 * @throws VigiaError `nao_encontrado`: what is no id names nothing, and is answered like one that is missing.
 */
export function recordId(
  variaveis: Readonly<Record<string, string>>,
  schema: typeof idTexto | typeof idLongoTexto,
): string {
  const id = schema.safeParse(variaveis.id)
  if (!id.success) throw notFound()
  return String(id.data)
}
