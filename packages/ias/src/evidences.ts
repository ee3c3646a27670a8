import type { NomeIa } from './catalogue.ts'
import type { IaEvidence } from './evidence.ts'
import { loadEntries } from './load-entries.ts'

const evidences = await loadEntries<IaEvidence>('evidence', 'evidence')

export const evidenceOf = (ia: NomeIa): IaEvidence => evidences[ia]
