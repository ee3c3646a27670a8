import { idLongoTexto } from '@vigia/contracts/values'
import { notFound } from '../../../http/caller.ts'

/**
 * The id in the address of a resource, as a route takes it.
 * @throws VigiaError `nao_encontrado`: what is no id names nothing, and is answered like one that is missing.
 */
export function recordId(variaveis: Readonly<Record<string, string>>): string {
  const id = idLongoTexto.safeParse(variaveis.id)
  if (!id.success) throw notFound()
  return String(id.data)
}
