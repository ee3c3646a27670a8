import type { TipoLimite } from '@vigia/contracts/limites'
import type { DataEntry } from '../db/data-register/entry.ts'
import type { Chapter } from '../http/chapters.ts'

/** A row of docs/limits.md, or the reason why the rows of the table need no bound of their own. */
type TableLimit = string | { readonly none: string }

/** Entry of a table in the register of data (db/data-register). */
export interface TableEntry extends DataEntry {
  readonly bound: TableLimit
}

export const ofOne = (what: string) => ({ none: `at most one of each ${what}` })
export const program = { none: 'the program writes a fixed number' }

declare const row: unique symbol

/** Carries the type of the rows of a table. The property does not exist at run time. */
interface Rows<Row> {
  readonly [row]?: Row
}

/** Declares a table: the type of its rows, and its entry of the register of data. */
export const table =
  <Row>() =>
  <const Entry extends TableEntry>(entry: Entry) =>
    entry as Entry & Rows<Row>

/** All that other parts of the program know about a noun of the interface (docs/architecture.md). */
export interface Noun {
  /** Chapter of the API reference for its paths. */
  readonly chapter?: Chapter
  /** First segments of its paths, below `/api/v1`. */
  readonly segments?: readonly string[]
  /** Limit of an Empresa that counts the rows of a table. */
  readonly quota?: { readonly tipo: TipoLimite; readonly tabela: string }
  readonly tables: Readonly<Record<string, TableEntry>>
  /** Its routes that change something and have no effect (http/effects.ts), each with the reason. */
  readonly withoutEffect?: Readonly<Record<string, string>>
}

/** Declares a noun. A file `noun.ts` imports no code but this, the helpers of the register, and types. */
export const defineNoun = <const N extends Noun>(noun: N): N => noun

/** Nouns by domain and name. */
type Domains = Readonly<Record<string, Readonly<Record<string, Noun>>>>

type NounOf<D extends Domains> = { [Name in keyof D]: D[Name][keyof D[Name]] }[keyof D]
type TablesIn<N> = N extends { readonly tables: infer T } ? T : never
type Merged<Sets> = {
  [T in Sets extends unknown ? keyof Sets : never]: Sets extends Readonly<Record<T, infer Entry>> ? Entry : never
}

/** Entries of the tables of all nouns. */
type Entries<D extends Domains> = Merged<TablesIn<NounOf<D>>>

/** Types of the tables of all nouns, for Kysely. */
export type TablesOf<D extends Domains> = {
  [T in keyof Entries<D>]: Entries<D>[T] extends Rows<infer Row> ? Row : never
}

export const nounsOf = (domains: Domains): Noun[] => Object.values(domains).flatMap((nouns) => Object.values(nouns))

export const entriesOf = <const D extends Domains>(domains: D): Entries<D> =>
  Object.assign({}, ...nounsOf(domains).map(({ tables }) => tables))
