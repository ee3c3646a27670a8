import { VigiaError } from '@vigia/contracts/errors'
import { failures } from '../texts/failures.ts'

export interface FormErrors<Field extends string> {
  /** Messages by field. */
  readonly fields: Partial<Record<Field, string>>
  /** Message above the form, for items without a field. */
  readonly general: string | null
}

/** Assigns the items of a 422 to the fields of the form. Any other error becomes the sentence above the form. */
export function formErrors<Field extends string>(error: unknown, known: readonly Field[]): FormErrors<Field> {
  if (!(error instanceof VigiaError)) return { fields: {}, general: failures().pagina }
  const fields: Partial<Record<Field, string>> = {}
  const rest: string[] = []
  for (const { loc, msg } of error.itens) {
    const field = known.find((name) => loc[0] === 'body' && loc[1] === name)
    if (field && !fields[field]) fields[field] = msg
    else if (!field) rest.push(loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg)
  }
  if (rest.length > 0) return { fields, general: rest.join(' ') }
  return { fields, general: Object.keys(fields).length > 0 ? null : error.detalhe }
}
