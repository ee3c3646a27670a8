import { createHash } from 'node:crypto'
import { VigiaError } from '@vigia/contracts/errors'
import type { EventoDetalhe, ImagemEvento } from '@vigia/contracts/eventos'
import { type IncidenteDetalhe, MAX_LISTA_INCIDENTE } from '@vigia/contracts/incidentes'
import type { Clock } from '../../adapters/clock.ts'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import type { ZipEntry } from '../../adapters/zip.ts'
import { auditChange } from '../../audit/audit-change.ts'
import type { Database } from '../../db/open.ts'
import { type Caller, callerName } from '../../http/caller.ts'
import { getEvent, getPicture } from '../eventos/get-evento.ts'
import { getIncidente } from '../incidentes/get-incidente.ts'

interface ExportDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
}

/** Name of the list of hashes, in the form that `sha256sum --check` reads. */
const HASHES = 'SHA256SUMS.txt'

/**
 * Records the export and returns its files: the data, the pictures, and at last the SHA-256 hash of every other file.
 * @throws VigiaError `nao_encontrado`, before the first file
 */
export async function exportEvento(deps: ExportDeps, caller: Caller, id: number): Promise<AsyncGenerator<ZipEntry>> {
  const evento = await getEvent(deps, caller, id)
  await record(deps, caller, 'evento', evento)
  return withHashes(filesOfEvento(deps, caller, evento, ''), readme(deps, caller, `evento nº ${id}`))
}

/** The same for an incidente, with the files of its newest events. */
export async function exportIncidente(deps: ExportDeps, caller: Caller, id: number): Promise<AsyncGenerator<ZipEntry>> {
  const incidente = await getIncidente(deps, caller, id)
  await record(deps, caller, 'incidente', incidente)
  const missing = incidente.eventos - incidente.lista.length
  const limit = missing > 0 ? `\nFaltam ${missing} eventos: só vêm os ${MAX_LISTA_INCIDENTE} mais novos.\n` : ''
  const about = readme(deps, caller, `incidente nº ${id}`) + limit
  return withHashes(filesOfIncidente(deps, caller, incidente), about)
}

function record(
  { db, clock }: ExportDeps,
  caller: Caller,
  objeto: 'evento' | 'incidente',
  { id, camera_nome, empresa_id }: EventoDetalhe | IncidenteDetalhe,
): Promise<void> {
  return db.transaction().execute((tx) =>
    auditChange(tx, clock.now(), caller, {
      ...{ acao: 'exportar', objeto, id, nome: camera_nome, empresaId: empresa_id },
      antes: null,
      depois: null,
    }),
  )
}

async function* filesOfIncidente(
  deps: ExportDeps,
  caller: Caller,
  incidente: IncidenteDetalhe,
): AsyncGenerator<ZipEntry> {
  yield json('incidente.json', incidente)
  for (const { id } of incidente.lista)
    yield* filesOfEvento(deps, caller, await getEvent(deps, caller, id), `eventos/${id}/`)
}

async function* filesOfEvento(
  deps: ExportDeps,
  caller: Caller,
  evento: EventoDetalhe,
  folder: string,
): AsyncGenerator<ZipEntry> {
  yield json(`${folder}evento.json`, evento)
  for (const [imagem, name] of [
    ['crop', 'recorte.jpg'],
    ['quadro', 'quadro.jpg'],
  ] as const) {
    const bytes = await pictureOf(deps, caller, evento.id, imagem)
    if (bytes) yield { name: `${folder}${name}`, bytes }
  }
}

/** null: the event has no such picture, or its file was deleted. */
async function pictureOf(deps: ExportDeps, caller: Caller, id: number, imagem: ImagemEvento): Promise<Buffer | null> {
  try {
    return await getPicture(deps, caller, { id, imagem })
  } catch (error) {
    if (error instanceof VigiaError && error.code === 'nao_encontrado') return null
    throw error
  }
}

const json = (name: string, value: unknown): ZipEntry => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

async function* withHashes(files: AsyncGenerator<ZipEntry>, about: string): AsyncGenerator<ZipEntry> {
  const lines: string[] = []
  const hashed = (entry: ZipEntry): ZipEntry => {
    lines.push(`${createHash('sha256').update(entry.bytes).digest('hex')}  ${entry.name}\n`)
    return entry
  }
  yield hashed({ name: 'LEIA-ME.txt', bytes: Buffer.from(about) })
  for await (const entry of files) yield hashed(entry)
  yield { name: HASHES, bytes: Buffer.from(lines.join('')) }
}

const readme = ({ clock }: ExportDeps, caller: Caller, what: string): string =>
  `Exportação do ${what} do Vigia, por ${callerName(caller)}, em ${new Date(clock.now()).toISOString()}.

Os arquivos .json têm os dados, com as horas em UTC. As imagens são as guardadas, sem alteração.
${HASHES} tem o resumo SHA-256 de cada arquivo. Para conferir que nada mudou depois da exportação:

  Linux, macOS:  sha256sum --check ${HASHES}
  Windows:       certutil -hashfile NOME-DO-ARQUIVO SHA256
`
