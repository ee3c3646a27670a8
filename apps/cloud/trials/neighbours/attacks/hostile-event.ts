import { candidate } from '../../../src/test/records/records.ts'

/** A live event of a hostile camera. */
export const hostileEvent = (cameraId: number, seq: number) =>
  candidate(cameraId, seq, { change: { ocorrido_em: Date.now(), confianca: 0.9 } })
