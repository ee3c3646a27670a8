import type { idLongoTexto, idTexto } from '@vigia/contracts/values'
import { notFound } from '../../../../http/caller.ts'

/**
 * The id in the address of a resource, as a parameter of a route.
 * @param schema of the route parameter
 * @throws VigiaError `nao_encontrado` for an invalid id, like for a missing record
 */
export function recordId(
  variaveis: Readonly<Record<string, string>>,
  schema: typeof idTexto | typeof idLongoTexto,
): string {
  const id = schema.safeParse(variaveis.id)
  if (!id.success) throw notFound()
  return String(id.data)
}
