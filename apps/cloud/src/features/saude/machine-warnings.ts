import type { AvisoSaude } from '@vigia/contracts/saude'
import type { DiskSpace } from '../../adapters/disk-space.ts'

/** A broker that restarts, or a line that drops, is back within this time. */
const LINK_DOWN_MS = 10_000
const LOOK_MS = 1_000

interface MachineWarningsDeps {
  readonly disk: Pick<DiskSpace, 'warning'>
  readonly link: { readonly connected: boolean }
  readonly monotonic: () => number
}

export interface MachineWarnings {
  start(): void
  stop(): void
  list(): AvisoSaude[]
}

/** Collects the warnings about disk and link that the operator has to act on. */
export function createMachineWarnings({ disk, link, monotonic }: MachineWarningsDeps): MachineWarnings {
  let connectedAt = monotonic()
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    if (link.connected) connectedAt = monotonic()
  }
  return {
    start() {
      connectedAt = monotonic()
      timer = setInterval(look, LOOK_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
    list() {
      look()
      const ofDisk = disk.warning()
      const isLinkDown = monotonic() - connectedAt >= LINK_DOWN_MS
      return [...(ofDisk === null ? [] : [ofDisk]), ...(isLinkDown ? (['enlace_fora'] as const) : [])]
    },
  }
}
