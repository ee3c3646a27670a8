import type { Selectable } from 'kysely'
import type { Tables } from './tables.ts'

export type EvidenciaRow = Selectable<Tables['evidencias']>
