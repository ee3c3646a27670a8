import { createHash } from 'node:crypto'
import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { PartialUploads } from '../../../adapters/partial-uploads.ts'
import type { ClipeRow } from '../../../db/clipes.ts'
import { NoMediaSpace } from '../../../db/media-bytes.ts'
import type { Database } from '../../../db/open.ts'
import { notFound } from '../../../http/caller.ts'
import type { EdgeCredential } from '../../../http/route.ts'
import { type MediaSpace, SPACE_WAIT_S } from '../../../scope/media-space.ts'
import { type DiscardDeps, discardFiles } from '../../eventos/public.ts'
import { spentCredential } from '../../locais/public.ts'
import { announceFile, findClipe, isClipeOfEvento, saveStored } from './store.ts'

export interface UploadDeps extends DiscardDeps {
  readonly db: Database
  readonly clock: Clock
  readonly media: MediaStore
  readonly partial: PartialUploads
  readonly disk: Pick<DiskSpace, 'hasSpace'>
  readonly space: MediaSpace
  /** Called after a clip was stored. */
  readonly stored: (clipe: ClipeRow) => void
}

export interface Upload {
  readonly uuid: string
  readonly offset: number
  readonly length: number
}

/** The file has another SHA-256 than the edge announced. */
class HashMismatch extends Error {
  override readonly name = 'HashMismatch'
}

const refused = (detalhe: string) => new VigiaError('proibido', { detalhe })
const conflict = (detalhe: string) => new VigiaError('conflito', { detalhe })

/**
 * Begins or finds the upload of a clip (tus creation). A repetition finds the same one, with its bytes.
 * @throws VigiaError `proibido` (a credential of another upload), `nao_encontrado`, `conflito` (another length)
 */
export async function beginUpload(
  deps: UploadDeps,
  credential: EdgeCredential,
  { uuid, length }: { readonly uuid: string; readonly length: number },
): Promise<Upload> {
  const clipe = await requireUpload(deps.db, credential, uuid)
  if (length !== clipe.tamanho) throw conflict('O envio tem outro tamanho que o clipe anunciado.')
  await requireSpace(deps, clipe)
  return resumeUpload(deps, clipe)
}

/** The state of an upload (tus HEAD). A stored clip is complete: the answer to its last bytes may be lost. */
export async function getUpload(deps: UploadDeps, credential: EdgeCredential, uuid: string): Promise<Upload> {
  const clipe = await requireClipe(deps.db, credential, uuid)
  if (clipe.estado === 'guardado') return { uuid, offset: clipe.tamanho, length: clipe.tamanho }
  if (credential.isSpent) throw spentCredential()
  return resumeUpload(deps, clipe)
}

/**
 * Adds bytes (tus PATCH), and stores the clip with its last byte. Bytes before an interruption stay.
 * @throws VigiaError as `beginUpload`. `conflito`: another offset, or a file with another hash, which is discarded.
 * `corpo_grande`: more bytes than announced. `indisponivel`: no space on the disk.
 */
export async function continueUpload(
  deps: UploadDeps,
  credential: EdgeCredential,
  { uuid, offset, body }: { readonly uuid: string; readonly offset: number; readonly body: AsyncIterable<Uint8Array> },
): Promise<Upload> {
  const clipe = await requireUpload(deps.db, credential, uuid)
  if (!deps.disk.hasSpace())
    throw new VigiaError('indisponivel', {
      detalhe: 'O disco do servidor está cheio. Espere e envie outra vez.',
      tentarEmS: 60,
    })
  await requireSpace(deps, clipe)
  const { partial } = deps
  if ((await partial.size(uuid)) !== offset)
    throw conflict('O envio continua em outra posição. Pergunte por ela (HEAD).')
  let isTooLong = false
  const limited = async function* () {
    let left = clipe.tamanho - offset
    for await (const chunk of body) {
      isTooLong = chunk.length > left
      yield chunk.subarray(0, left)
      if (isTooLong) return
      left -= chunk.length
    }
  }
  const size = await partial.append(uuid, limited(), { offset, limit: clipe.tamanho })
  if (isTooLong) {
    await partial.remove(uuid)
    throw new VigiaError('corpo_grande', { detalhe: 'O envio passou do tamanho anunciado. Comece outra vez.' })
  }
  if (size === clipe.tamanho) await store(deps, clipe)
  return { uuid, offset: size, length: clipe.tamanho }
}

/** @throws VigiaError `indisponivel`: the Empresa has no space for the whole clip */
async function requireSpace({ db, space }: UploadDeps, { id, empresa_id, tamanho }: ClipeRow): Promise<void> {
  const incoming = (await isClipeOfEvento(db, id)) ? 'clipe' : 'gravacao'
  const waiting = await space.waiting(new Map([[empresa_id, tamanho]]), incoming)
  const reason = waiting.get(empresa_id)
  if (reason !== undefined) throw noSpace(reason)
}

const noSpace = (detalhe: string) => new VigiaError('indisponivel', { detalhe, tentarEmS: SPACE_WAIT_S })

async function requireUpload(db: Database, credential: EdgeCredential, uuid: string): Promise<ClipeRow> {
  if (credential.isSpent) throw spentCredential()
  const clipe = await requireClipe(db, credential, uuid)
  if (clipe.estado === 'guardado') throw conflict('Este clipe já está guardado.')
  return clipe
}

async function requireClipe(db: Database, credential: EdgeCredential, uuid: string): Promise<ClipeRow> {
  if (credential.finalidade !== 'clipe' || credential.alvo !== uuid) throw refused('Esta credencial é de outro envio.')
  const clipe = await findClipe(db, uuid)
  if (!clipe) throw notFound('Este clipe não existe mais.')
  if (clipe.edge_id !== credential.edgeId) throw refused('Este clipe é de outra caixa.')
  return clipe
}

/** Stores a complete upload whose process ended before it could. */
async function resumeUpload(deps: UploadDeps, clipe: ClipeRow): Promise<Upload> {
  const offset = await deps.partial.size(clipe.uuid)
  if (offset === clipe.tamanho) await store(deps, clipe)
  return { uuid: clipe.uuid, offset, length: clipe.tamanho }
}

/** Moves a complete upload into the media store, checks its hash on the way, and updates the row. */
async function store(deps: UploadDeps, clipe: ClipeRow): Promise<void> {
  const { db, media, partial, clock, log } = deps
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of partial.read(clipe.uuid)) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== clipe.sha256) throw new HashMismatch('sha256 of the upload differs')
  }
  if (!(await announceFile(db, clipe))) return
  try {
    await media.put(clipe.caminho, { size: clipe.tamanho, chunks: hashed() })
  } catch (error) {
    if (!(error instanceof HashMismatch)) throw error
    await partial.remove(clipe.uuid)
    await discardFiles(deps, [clipe.caminho])
    throw conflict('O arquivo recebido tem outro SHA-256 que o anunciado. Comece o envio outra vez.')
  }
  const saved = await saveStored(db, clipe, clock.now()).catch(async (error: unknown) => {
    if (!(error instanceof NoMediaSpace)) throw error
    // Another upload took the space meanwhile. The bytes stay for the next attempt.
    await discardFiles(deps, [clipe.caminho])
    throw noSpace('O espaço desta conta acabou agora.')
  })
  if (saved) {
    log.info({ edge_id: clipe.edge_id, clipe: clipe.uuid, bytes: clipe.tamanho }, 'clip stored')
    deps.stored(clipe)
  } else if (!(await findClipe(db, clipe.uuid))) {
    // Its event was deleted meanwhile.
    await announceFile(db, clipe)
    await discardFiles(deps, [clipe.caminho])
  }
  await partial.remove(clipe.uuid)
}
