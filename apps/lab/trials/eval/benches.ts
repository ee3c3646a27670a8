import type { NomeIa } from '@vigia/contracts/ias'
import type { IaBench } from '@vigia/ias/bench-entry'
import { loadBenches } from '@vigia/ias/load-entries'

const benches = await loadBenches<IaBench>()

export const benchOf = (ia: NomeIa): IaBench => benches[ia] ?? {}
