import { defineLimits } from '@vigia/contracts/limit-rows'
import { messageBounds } from './message-bounds.ts'

const kib = (bytes: number) => `${Math.round(bytes / 1024)} KiB`
const SUM = { none: 'counted by edge; the edges of an Empresa are limited' }

const contents = {
  relato: 'Reports of an edge (relato)',
  presenca: 'Presence of an edge (presenca)',
  respostas: 'Answers of an edge to commands (respostas)',
  aovivo: 'Live pictures of an edge (aovivo)',
  renovacao: 'Renewals of a certificate (renovacao)',
} as const

/** Messages of edges that need no answer. Batches have queues and rates of their own. */
export const limitRows = defineLimits(
  (Object.keys(contents) as (keyof typeof contents)[]).map((name) => {
    const { bytes, recordsPerS, bytesPerS } = messageBounds[name]
    return {
      what: contents[name],
      who: 'edge',
      item: { limit: kib(bytes), test: 'are dropped above their size' },
      connection: { none: 'an edge has one connection' },
      edge: {
        limit: `${recordsPerS} a second, ${kib(bytesPerS)} a second; more is dropped`,
        test: 'are dropped above their rate, and those of another edge are not',
      },
      empresa: SUM,
      root: SUM,
      installation: { none: 'the operator limits the edges of each root Empresa' },
    }
  }),
)
