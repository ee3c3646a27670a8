import type { AvisoSaude } from '@vigia/contracts/saude'
import type { DiskSpace } from '../../../adapters/disk-space.ts'

/** Longer than a restart of the broker or a short failure of the network. */
const LINK_DOWN_MS = 10_000
const CHECK_MS = 1_000

interface MachineWarningsDeps {
  readonly disk: Pick<DiskSpace, 'warning'>
  readonly link: { readonly connected: boolean }
  readonly monotonic: () => number
  /** Whether the object store of the media keeps deleted files. */
  readonly keepsVersions?: boolean
  readonly ages?: { isDoubtful(): boolean; isHolding(): boolean }
}

export interface MachineWarnings {
  start(): void
  stop(): void
  list(): AvisoSaude[]
}

/** Collects the warnings about disk, link, clock and object store that require an action of the operator. */
export function createMachineWarnings({
  disk,
  link,
  monotonic,
  keepsVersions = false,
  ages,
}: MachineWarningsDeps): MachineWarnings {
  let connectedAt = monotonic()
  let timer: NodeJS.Timeout | undefined
  const check = () => {
    if (link.connected) connectedAt = monotonic()
  }
  return {
    start() {
      connectedAt = monotonic()
      timer = setInterval(check, CHECK_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
    list() {
      check()
      const ofDisk = disk.warning()
      const isLinkDown = monotonic() - connectedAt >= LINK_DOWN_MS
      return [
        ...(ofDisk === null ? [] : [ofDisk]),
        ...(isLinkDown ? (['enlace_fora'] as const) : []),
        ...(ages?.isDoubtful() ? (['relogio_duvidoso'] as const) : []),
        ...(ages?.isHolding() ? (['apagamento_retido'] as const) : []),
        ...(keepsVersions ? (['imagens_com_versoes'] as const) : []),
      ]
    },
  }
}
