import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { VigiaError } from '@vigia/contracts/errors'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { ZipBytes, ZipStream } from '../../../adapters/zip.ts'
import { findClipeOf } from '../../../db/clipes.ts'
import type { Database } from '../../../db/open.ts'
import type { Caller } from '../../../http/caller.ts'
import { getEvidencia, getPicture } from '../eventos/get-evento.ts'
import { hidesPlate } from '../eventos/mask-plates.ts'

interface FileDeps {
  readonly db: Database
  readonly media: MediaStore
}

/** A clip with the hash of its stored file, and the one that the edge computed when it cut the clip. */
export interface ArchivedClip extends ZipStream {
  readonly sha256: string
  readonly sha256Edge: string
}

/** A picture with its Portuguese caption. */
export interface ArchivedPicture extends ZipBytes {
  readonly caption: string
}

/** The stored pictures of an event that the caller may see, in the order of a reader. Missing files are left out. */
export async function* picturesOf(
  deps: FileDeps,
  caller: Caller,
  evento: EventoDetalhe,
  folder: string,
): AsyncGenerator<ArchivedPicture> {
  if (hidesPlate(caller, evento)) return
  const { id, evidencias } = evento
  const wanted = [
    {
      name: 'quadro.jpg',
      caption: 'Quadro inteiro',
      read: () => getPicture(deps, caller, { id, imagem: 'quadro' }),
    },
    { name: 'recorte.jpg', caption: 'Recorte', read: () => getPicture(deps, caller, { id, imagem: 'crop' }) },
    ...evidencias.map(({ ordem, dt_ms }) => ({
      name: `evidencia-${ordem}.jpg`,
      caption: `Outra imagem, ${(Math.abs(dt_ms) / 1000).toLocaleString('pt-BR')} s ${dt_ms < 0 ? 'antes' : 'depois'}`,
      read: () => getEvidencia(deps, caller, { id, ordem }),
    })),
  ]
  for (const { name, caption, read } of wanted) {
    const bytes = await orNull(read())
    if (bytes) yield { name: `${folder}${name}`, caption, bytes }
  }
}

/** null: it does not exist (any more). */
export async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read
  } catch (error) {
    if (error instanceof VigiaError && error.code === 'nao_encontrado') return null
    throw error
  }
}

/**
 * The clips of several events, each file once, because events of one camera share a clip. `nameOf` gets the id of the
 * clip. Reads the file once for its hashes; the archive reads it a second time.
 */
export function createArchivedClips({ db, media }: FileDeps, nameOf: (id: number) => string) {
  const known = new Map<number, ArchivedClip>()
  return {
    /** The clip of the event, and whether it is not in the archive yet. null: none is stored. */
    async of(eventoId: number): Promise<{ readonly clip: ArchivedClip; readonly isNew: boolean } | null> {
      const clipe = (await findClipeOf(db, eventoId))?.clipe
      if (clipe?.estado !== 'guardado') return null
      const earlier = known.get(clipe.id)
      if (earlier) return { clip: earlier, isNew: false }
      const measured = await measure(media, clipe.caminho)
      if (!measured) return null
      const chunks = () => chunksOf(media, clipe.caminho)
      const clip = { ...measured, chunks, name: nameOf(clipe.id), sha256Edge: clipe.sha256 }
      known.set(clipe.id, clip)
      return { clip, isNew: true }
    },
  }
}

/** null: no such file. */
async function measure(media: MediaStore, path: string) {
  const stream = await media.open(path)
  if (!stream) return null
  const hash = createHash('sha256')
  let [size, crc] = [0, 0]
  for await (const chunk of stream) {
    hash.update(chunk)
    crc = crc32(chunk, crc)
    size += chunk.length
  }
  return { size, crc, sha256: hash.digest('hex') }
}

async function* chunksOf(media: MediaStore, path: string): AsyncGenerator<Uint8Array> {
  const stream = await media.open(path)
  if (!stream) throw new Error('clip removed during its export')
  yield* stream
}
