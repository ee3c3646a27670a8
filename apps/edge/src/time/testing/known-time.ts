import type { EdgeTime } from '../edge-time.ts'

/** An edge whose time was known from the start. */
export const knownTime: Pick<EdgeTime, 'place' | 'relogio' | 'state'> = {
  state: 'conhecida',
  place: (at) => ({ at, stamp: null }),
  relogio: () => ({ desvio_ms: null, sincronizado: true }),
}
