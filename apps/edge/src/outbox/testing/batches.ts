import { type Confirmacao, primeiroSeqDe } from '@vigia/contracts/candidate'
import type { BatchItem } from '@vigia/link/batch'

/** The same answer of the cloud for each record. */
export const answerOf = (items: readonly BatchItem[], resultado: Confirmacao['resultado']) => ({
  tipo: 'registros' as const,
  v: 2 as const,
  itens: items.map(({ registro }) => ({ id: registro.id, resultado, motivo: null })),
})

export const seqsOf = (batch: readonly BatchItem[]) => batch.map(({ registro }) => primeiroSeqDe(registro))

/** Camera, number, base and first waiting number of each record. */
export const positionsOf = (batch: readonly BatchItem[]) =>
  batch.map(({ registro, base, desde }) => [registro.camera_id, primeiroSeqDe(registro), base, desde])
