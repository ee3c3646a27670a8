import { MAX_REGISTRO_BYTES } from '@vigia/contracts/transmissao'

/** Bytes of records that wait for slow owners at most: of one upload, and of all uploads of this process. */
export const MOST_WAITING = { one: 2 * MAX_REGISTRO_BYTES, all: 16 * MAX_REGISTRO_BYTES }

export interface WaitingBytes {
  /** @returns false: the upload must end, and its edge connects again */
  allows(upload: object, bytes: number): boolean
  release(upload: object): void
}

/** Above `all` an upload with more than an equal share ends, so that no other one pays for it. */
export function createWaitingBytes({ one, all }: typeof MOST_WAITING = MOST_WAITING): WaitingBytes {
  const waiting = new Map<object, number>()
  let sum = 0
  const release = (upload: object) => {
    sum -= waiting.get(upload) ?? 0
    waiting.delete(upload)
  }
  return {
    release,
    allows(upload, bytes) {
      release(upload)
      waiting.set(upload, bytes)
      sum += bytes
      return bytes <= one && (sum <= all || bytes <= sum / waiting.size)
    },
  }
}
