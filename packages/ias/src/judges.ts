import type { NomeIa } from './catalogue.ts'
import type { Judge } from './judging.ts'
import { loadEntries } from './load-entries.ts'

const judges = await loadEntries<Judge>('judge', 'judge')

export const judgeOf = (ia: NomeIa): Judge => judges[ia]
