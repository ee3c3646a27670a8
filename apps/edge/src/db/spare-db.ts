import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isDiskFailure } from '@vigia/runtime/disk-failure'
import type { Logger } from 'pino'
import { type OpenedEdgeDb, openEdgeDb } from './edge-db.ts'

export type OpenedSomewhere =
  | (Extract<OpenedEdgeDb, { ok: true }> & {
      /** The file is in memory because the disk cannot be written; a power cut loses it. */
      readonly inMemory: boolean
    })
  | Extract<OpenedEdgeDb, { reason: 'em_uso' }>

export interface OpenOptions {
  readonly signal: AbortSignal
  readonly log: Logger
  /** Delay between two attempts when memory fails too; default 10 s. */
  readonly retryMs?: number
  /** Folder of a file system in memory. */
  readonly memoryDir?: string
}

/** A larger outbox is not copied into the memory of a small machine. */
const MAX_COPY_BYTES = 128 * 1024 * 1024
/** Space that must remain free on the disk beside the returning file. */
const SPACE_BYTES = 16 * 1024 * 1024
const MEMORY_DIR = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/**
 * Opens `edge.db`. If the disk cannot be written, opens a copy in memory, so that the edge continues to analyse and
 * deliver. While the copy exists it is the newer one. The next start with a writable disk moves it back. If both fail,
 * logs the failure and tries again: the service manager would only restart a program that ends. null: the signal
 * aborted.
 */
export async function openEdgeDbSomewhere(file: string, options: OpenOptions): Promise<OpenedSomewhere | null> {
  const { signal, log, retryMs = 10_000 } = options
  const spare = spareOf(file, options.memoryDir)
  while (!signal.aborted) {
    const back = bringBack(file, spare)
    if (back === 'em_uso') return { ok: false, reason: 'em_uso' }
    const opened = back === 'none' ? openEdgeDb(file) : openEdgeDb(spare)
    if (opened.ok) return { ...opened, inMemory: back !== 'none' }
    if (opened.reason === 'em_uso') return opened
    log.error({ err: opened.cause }, opened.detalhe)
    if (back === 'none' && makeSpare(file, spare)) continue
    await setTimeout(retryMs, undefined, { signal }).catch(() => {})
  }
  return null
}

/**
 * Copies `edge.db` into memory as it is; false: too little space, or the file is unreadable. An existing copy stays.
 */
export function makeSpare(file: string, spare: string = spareOf(file)): boolean {
  if (exists(spare)) return true
  const journal = sizeOf(`${file}-wal`)
  if (sizeOf(file) + journal > MAX_COPY_BYTES) return false
  try {
    mkdirSync(dirname(spare), { recursive: true, mode: 0o700 })
    if (!isOwn(dirname(spare))) return false
    // The journal first: without it the copy would be an older state, and the presence of `spare` marks a complete
    // copy.
    if (journal > 0) copyFileSync(`${file}-wal`, `${spare}-wal`)
    if (!existsSync(file)) return makeEmpty(spare)
    copyFileSync(file, `${spare}.novo`)
    renameSync(`${spare}.novo`, spare)
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    rmSync(dirname(spare), { recursive: true, force: true })
    return false
  }
}

/** Whether the disk has recovered, so that a restart would move the copy back. */
export function canBringBack(file: string, spare: string = spareOf(file)): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    if (bavail * bsize < sizeOf(spare) + SPACE_BYTES) return false
    const probe = `${file}.prova`
    closeSync(openSync(probe, 'w', 0o600))
    rmSync(probe)
    return true
  } catch (error) {
    if (!isSystemError(error)) throw error
    return false
  }
}

/** `none`: no copy exists, or it was moved back. `kept`: a copy exists, and the disk does not accept it. */
function bringBack(file: string, spare: string): 'none' | 'kept' | 'em_uso' {
  if (!exists(spare)) return 'none'
  if (!canBringBack(file, spare)) return 'kept'
  // Opening and closing merges its journal into the file.
  const opened = openEdgeDb(spare)
  if (!opened.ok) return opened.reason === 'em_uso' ? 'em_uso' : 'kept'
  opened.db.pragma('wal_checkpoint(TRUNCATE)')
  opened.db.close()
  try {
    copyFileSync(spare, `${file}.novo`)
    sync(`${file}.novo`)
    // The journal is removed first, because it must never be applied to the new file.
    for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
    renameSync(`${file}.novo`, file)
    sync(dirname(file))
  } catch (error) {
    if (!isSystemError(error)) throw error
    return 'kept'
  }
  rmSync(dirname(spare), { recursive: true, force: true })
  return 'none'
}

function makeEmpty(spare: string): boolean {
  const opened = openEdgeDb(spare)
  if (!opened.ok) return false
  opened.db.close()
  return true
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Path of the copy of `file` in memory: one folder per data folder and user of the machine. */
export function spareOf(file: string, memoryDir: string = MEMORY_DIR): string {
  const name = createHash('sha256')
    .update(`${process.getuid?.() ?? ''} ${resolve(file)}`)
    .digest('hex')
    .slice(0, 16)
  return join(memoryDir, `vigia-edge-${name}`, 'edge.db')
}

const exists = (spare: string): boolean => existsSync(spare) && isOwn(dirname(spare))

/** All users of the machine can write to memory: a folder of another user is refused. */
function isOwn(dir: string): boolean {
  const { uid, mode } = lstatSync(dir)
  return uid === (process.getuid?.() ?? uid) && (mode & 0o170077) === 0o040000
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const isSystemError = (error: unknown): boolean =>
  isDiskFailure(error) || (error instanceof Error && 'syscall' in error)
