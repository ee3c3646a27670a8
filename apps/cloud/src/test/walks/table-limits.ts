import { entries } from '../../db/data-register/data-register.ts'

/** Bound of the rows of each table. A table without an entry does not compile. */
export const tableLimits = Object.fromEntries(entries.map(([name, { bound }]) => [name, bound]))
