import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { TipoDisco } from '@vigia/contracts/gravacao-continua'

/** Kind of the disk that holds `dir`, which must exist. */
export function diskKind(dir: string): TipoDisco {
  const dev = BigInt(statSync(dir).dev)
  // Form of makedev(3) in the GNU C library.
  const major = (dev >> 8n) & 0xfffn
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n)
  return blockKind(`/sys/dev/block/${major}:${minor}`)
}

/** Kind of a block device in sysfs: a disk, a partition, or a volume above another device. */
export function blockKind(device: string): TipoDisco {
  try {
    const path = realpathSync(device)
    const disk = readdirSync(path).includes('partition') ? dirname(path) : path
    const [below] = readdirSync(join(disk, 'slaves'))
    return below === undefined ? diskOf(disk) : blockKind(join(disk, 'slaves', below))
  } catch {
    // A file system without a block device, or no sysfs.
    return 'desconhecido'
  }
}

function diskOf(disk: string): TipoDisco {
  if (basename(disk).startsWith('mmcblk')) return 'cartao'
  const isUsb = disk.includes('/usb')
  // A stick or a card reader, unlike an SSD or a hard disk on USB.
  if (isUsb && isSet(join(disk, 'removable'))) return 'cartao'
  if (isUsb) return 'usb'
  return isSet(join(disk, 'queue/rotational')) ? 'hdd' : 'ssd'
}

const isSet = (file: string): boolean => readFileSync(file, 'utf8').trim() === '1'
