import type { ChildProcess } from 'node:child_process'
import { rename, rm, stat } from 'node:fs/promises'
import type { Zonas } from '@vigia/contracts/geometria'
import { boundChild, DECODING_CHILD_BYTES } from '@vigia/runtime/process-memory'
import { hasVideoPackage } from '@vigia/video/video-package'
import type { Logger } from 'pino'
import { forkChild } from '../../supervisor/fork-child.ts'
import { type Fetched, sha256Of } from '../fetch-recording.ts'
import type { CoverAnswer, CoverRequest } from './protocol.ts'

type Done = Extract<Fetched, { ok: true }>

export interface CoverOptions {
  /** File of the recording; the covered copy replaces it. */
  readonly path: string
  readonly mascaras: Zonas
  readonly signal: AbortSignal
  readonly log: Logger
}

/** An uncovered file never leaves the edge. */
const NO_VIDEO: Fetched = { ok: false, falha: 'interno', causa: { motivo: 'sem_pacote_video', complemento: null } }

/** Replaces a fetched file by a copy with masks, made in a process of its own. The uncovered file is deleted. */
export async function coverRecording({ file }: Done, options: CoverOptions): Promise<Fetched> {
  const { path, mascaras, signal, log } = options
  if (!hasVideoPackage()) return NO_VIDEO
  const target = `${path}.coberta`
  const child = forkChild(new URL('main.ts', import.meta.url))
  boundChild(child, DECODING_CHILD_BYTES, (bytes) => log.error({ bytes }, 'process above its memory: killed'))
  try {
    const answer = await ask(child, { source: path, target, mascaras }, signal)
    if (!answer.ok) return answer
    await rename(target, path)
    const { startMs, durationMs, codec, codecs, width, height } = answer
    const { size: bytes } = await stat(path)
    const times = { startedAt: Math.round(file.startedAt + startMs), durationMs: Math.max(1, Math.round(durationMs)) }
    const size = { codec, codecs, width, height, bytes, sha256: await sha256Of(path) }
    return { ok: true, file: { ...times, ...size, complete: file.complete } }
  } catch (err) {
    log.error({ err }, 'recording not covered')
    return { ok: false, falha: 'disco_indisponivel' }
  } finally {
    child.kill('SIGKILL')
    await rm(target, { force: true })
  }
}

function ask(child: ChildProcess, request: CoverRequest, signal: AbortSignal): Promise<CoverAnswer> {
  return new Promise((resolve) => {
    const failed = () => resolve({ ok: false, falha: 'interno' })
    child.once('message', (answer: CoverAnswer) => resolve(answer))
    child.once('error', failed)
    child.once('close', failed)
    signal.addEventListener('abort', failed, { once: true })
    if (signal.aborted) failed()
    child.send(request, (err) => err && failed())
  })
}
