import type { TipoFixo, TipoRetencao } from '@vigia/contracts/retencao'

/** Effect of an export or a deletion on the rows of a table. */
export type Reach =
  /** They have a step of their own. */
  | { readonly by: 'own' }
  /** They go, or come, with rows of this table. */
  | { readonly by: 'with'; readonly table: string }
  /** They hold what was asked for and stay. A person reads the Portuguese reason and their number. */
  | { readonly by: 'stays'; readonly motivo: string }
  /** They are not concerned, for this reason. */
  | { readonly by: 'none'; readonly why: string }

/** End of a row. */
export type Ending =
  | { readonly by: 'age'; readonly tipo: TipoRetencao }
  /** A fixed age, which the guard of deletions by age knows (db/hold-back/hold-back.ts). */
  | { readonly by: 'fixed'; readonly tipo: TipoFixo }
  /** A short time of a state, or the end that the row itself states. */
  | { readonly by: 'period'; readonly what: string }
  | { readonly by: 'size'; readonly what: string }
  | { readonly by: 'owner'; readonly table: string }
  /** A person removes it. */
  | { readonly by: 'person' }
  | { readonly by: 'never'; readonly why: string }

/** Effect of the removal of a login. */
type LoginReach = 'deleted' | 'name stays' | 'none'

/** Readers of the rows. `placas`: vigilantes of an Empresa that hides plates do not. `none`: no route shows it. */
type Readers = 'every papel' | 'placas' | 'administrador' | 'operador' | 'the login' | 'none'

/** Role that can make the time shorter. */
type Shortens = 'administrador' | 'operador' | 'the login' | 'nobody'

export interface DataEntry {
  /** Personal data of a row; null: none. */
  readonly personal: string | null
  readonly ends: readonly Ending[]
  /** Whether the hold of an event keeps it. */
  readonly held: boolean
  /** The export by period. */
  readonly export: Reach
  /** The deletion by period. */
  readonly period: Reach
  /** The deletion of one plate. */
  readonly plate: Reach
  readonly login: LoginReach
  /** Whether it can hold pictures, which the edge masks before they leave it. */
  readonly masks: boolean
  readonly readers: Readers
  readonly shortens: Shortens
}

export const own = { by: 'own' } as const
export const goesWith = <T extends string>(table: T) => ({ by: 'with', table }) as const
export const stays = (motivo: string) => ({ by: 'stays', motivo }) as const
export const not = (why: string) => ({ by: 'none', why }) as const

export const age = (tipo: TipoRetencao) => ({ by: 'age', tipo }) as const
export const fixed = (tipo: TipoFixo) => ({ by: 'fixed', tipo }) as const
export const period = (what: string) => ({ by: 'period', what }) as const
export const size = (what: string) => ({ by: 'size', what }) as const
export const owner = (table: string) => ({ by: 'owner', table }) as const
export const person = { by: 'person' } as const
export const never = (why: string) => ({ by: 'never', why }) as const

const untouched = { export: not('no personal data'), period: not('no personal data'), plate: not('no personal data') }

/** Rows about machines. @param ends without one: never */
export const machine = (...ends: readonly Ending[]) =>
  ({
    ...untouched,
    personal: null,
    ends,
    held: false,
    login: 'none',
    masks: false,
    readers: 'none',
    shortens: 'nobody',
  }) as const satisfies DataEntry

const noEvent = not('a person enters and removes it; it is no record of an event')

/** Settings that an administrador enters and removes. */
export const setting = <P extends string | null>(personal: P) =>
  ({
    personal,
    ends: [person, owner('empresas')],
    held: false,
    login: 'none',
    masks: false,
    export: noEvent,
    period: noEvent,
    plate: noEvent,
    readers: 'administrador',
    shortens: 'administrador',
  }) as const satisfies DataEntry

const ofLogin = not('it belongs to a login, not to a recording')

/** Rows of a login, which end with it. */
export const access = (personal: string, ...ends: readonly Ending[]) =>
  ({
    personal,
    ends: [...ends, owner('usuarios')],
    held: false,
    login: 'deleted',
    masks: false,
    export: ofLogin,
    period: ofLogin,
    plate: ofLogin,
    readers: 'the login',
    shortens: 'the login',
  }) as const satisfies DataEntry

/** Rows that end with a row of `table`, and are found only by it. */
export const part = <T extends string>(personal: string | null, table: T) =>
  ({
    personal,
    ends: [owner(table)],
    login: 'none',
    masks: false,
    held: true,
    export: goesWith(table),
    period: goesWith(table),
    plate: goesWith(table),
    readers: 'every papel',
    shortens: 'administrador',
  }) as const satisfies DataEntry
