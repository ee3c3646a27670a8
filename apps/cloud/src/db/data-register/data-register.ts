import { entriesOf, type TableEntry } from '../../nouns/define-noun.ts'
import { domains } from '../../nouns/nouns.ts'
import type { Tables } from '../tables.ts'
import { machinery } from './machinery.ts'

/**
 * All tables of the cloud: what they say about persons, what ends their rows, and which promises reach them. A table
 * without an entry does not compile. Deletion, export and holds take their tables from here (domains/operacao/retencao,
 * domains/eventos/exportacao), and docs/privacy.md is compared with it. A noun declares its tables in its folder.
 */
export const dataRegister = { ...entriesOf(domains), ...machinery } satisfies Record<keyof Tables, TableEntry>

type Register = typeof dataRegister
type DataPromise = 'export' | 'period' | 'plate'

/** Tables that this promise reaches in a certain way. */
export type Reached<P extends DataPromise, By extends 'own' | 'stays'> = P extends DataPromise
  ? { [T in keyof Register]: Register[T][P] extends { readonly by: By } ? T : never }[keyof Register]
  : never

export const entries = Object.entries(dataRegister) as [keyof Tables, TableEntry][]

/** Reason why rows of a table stay. */
export const reasonOf = (table: keyof Tables, promise: 'period' | 'plate'): string => {
  const reach: TableEntry['period'] = dataRegister[table][promise]
  return reach.by === 'stays' ? reach.motivo : ''
}
