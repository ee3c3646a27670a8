import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { VigiaError } from '@vigia/contracts/errors'
import type { ModelManifest } from './manifest.ts'
import { InferenceSession } from './onnxruntime.ts'

export interface SessionOptions {
  /**
   * Threads per run. Several detectors with one thread each are faster than one with two threads, at half the CPU time.
   */
  readonly threads?: number
}

/**
 * Loads the model of a manifest. It reads only local files, never a URL, and loads exactly the bytes that it checked.
 * Throws VigiaError `interno` when the file is missing, has another hash than the manifest, or cannot run.
 */
export async function openSession(manifest: ModelManifest, options: SessionOptions = {}): Promise<InferenceSession> {
  const { id, caminho, sha256 } = manifest
  const bytes = await readFile(caminho).catch((cause: NodeJS.ErrnoException) => {
    const what = cause.code === 'ENOENT' ? 'não foi encontrado' : `não pôde ser lido (${cause.code})`
    throw unusable(`O arquivo do modelo ${id} ${what} em ${caminho}.`, cause)
  })
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    const what = `O arquivo do modelo ${id} em ${caminho} (${bytes.length} bytes) não tem o sha256 do seu manifesto`
    throw unusable(`${what}: está incompleto ou é outro. Copie-o outra vez.`)
  }
  const settings: InferenceSession.SessionOptions = {
    intraOpNumThreads: options.threads ?? 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    // By default each session keeps its threads spinning between runs.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  }
  return InferenceSession.create(bytes, settings).catch((cause: unknown) => {
    // The runtime's message names the cause: `Unsupported operator …`.
    const [reason] = String(cause instanceof Error ? cause.message : cause).split('\n')
    throw unusable(`O modelo ${id} não pôde ser carregado. Confira se é um ONNX válido (${reason}).`, cause)
  })
}

const unusable = (detalhe: string, cause?: unknown) => new VigiaError('interno', { detalhe, cause })
