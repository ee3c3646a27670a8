import { jsonBelow } from '../../../adapters/base-path.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import type { ZipBytes } from '../../../adapters/zip.ts'
import type { Database } from '../../../db/open.ts'
import { findPassage } from '../../../db/passagens.ts'
import { viewPassagem } from '../../../db/view-passagem.ts'
import type { Caller } from '../../../http/caller.ts'
import { hidesUnmasked } from '../../../scope/unmasked.ts'

interface PassageDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly basePath: string
}

/** A passage with the names of its pictures in the archive. */
export interface ReportPassagem {
  readonly passagem: ReturnType<typeof viewPassagem>
  readonly pictures: readonly { readonly name: string; readonly caption: string }[]
}

/**
 * Files of one passage: data, both pictures, and its copy in the training data with the line beside it. Missing files
 * are left out, and pictures that the caller sees only with masks.
 * @returns the passage with the names of its pictures; null: it was deleted meanwhile
 */
export async function* passageFiles(
  { db, media, basePath }: PassageDeps,
  caller: Caller,
  id: number,
): AsyncGenerator<ZipBytes, ReportPassagem | null> {
  const row = await findPassage(db, id)
  if (!row) return null
  const passagem = viewPassagem(row)
  yield { name: nameOf(id, 'passagem.json'), bytes: Buffer.from(`${jsonBelow(basePath)(passagem, 2)}\n`) }
  const pictures: ReportPassagem['pictures'][number][] = []
  const wanted = [
    { path: row.foto_path, name: 'veiculo.jpg', caption: 'Veículo' },
    { path: row.foto_placa_path, name: 'placa.jpg', caption: 'Placa' },
    { path: row.dataset_path, name: 'treinamento.jpg', caption: 'Cópia nos dados de treinamento' },
    { path: row.dataset_path?.replace(/\.jpg$/, '.json') ?? null, name: 'treinamento.json', caption: null },
  ]
  const taken = { ocorrido_em: row.ocorrido_em, recebido_em: row.recebida_em }
  const hidden = await hidesUnmasked(db, caller, row.camera_id, taken)
  for (const { path, name, caption } of wanted) {
    const bytes = hidden || path === null ? null : await media.read(path)
    if (bytes === null) continue
    if (caption !== null) pictures.push({ name: nameOf(id, name), caption })
    yield { name: nameOf(id, name), bytes }
  }
  return { passagem, pictures }
}

const nameOf = (id: number, file: string): string => `passagens/${id}/${file}`
