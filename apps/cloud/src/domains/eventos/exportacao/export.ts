import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import type { EventoDetalhe } from '@vigia/contracts/eventos'
import { type IncidenteDetalhe, MAX_LISTA_INCIDENTE } from '@vigia/contracts/incidentes'
import { jsonBelow } from '../../../adapters/base-path.ts'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { localTime } from '../../../adapters/senders/local-time.ts'
import type { ZipBytes, ZipEntry } from '../../../adapters/zip.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerName, hidesPlatesOf } from '../../../http/caller.ts'
import type { Html } from '../../../http/pages/html.ts'
import { hidesUnmasked } from '../../../scope/unmasked.ts'
import { getEvent } from '../eventos/get-evento.ts'
import { hidesPlate } from '../eventos/mask-plates.ts'
import { getIncidente } from '../incidentes/get-incidente.ts'
import { type ArchivedClip, createArchivedClips, orNull, picturesOf } from './archived-files.ts'
import { passageFiles } from './archived-passages.ts'
import { eventoSection, hashRow, passagemSection, type ReportEvento, reportPage } from './report-page.ts'

export interface ExportDeps {
  readonly db: Database
  readonly media: MediaStore
  readonly clock: Clock
  readonly basePath: string
}

/** One archive: of an incidente with its listed events, of one event, or of the events of a period. */
interface Subject {
  /** `incidente nº 7`, with the times in this zone. */
  readonly nome: (fuso: string) => string
  /** Name of the page. The archive of an event has no folders. */
  readonly arquivo: 'incidente' | 'evento' | 'periodo'
  readonly empresaId: number
  readonly incidente: IncidenteDetalhe | null
  readonly eventos: readonly number[]
  readonly passagens: readonly number[]
}

/** Name of the list of hashes, in the form that `sha256sum --check` reads. */
const HASHES = 'SHA256SUMS.txt'

/**
 * Records the export and returns its files: data, pictures and clip, a page that shows them, and the SHA-256 hash of
 * every other file.
 * @throws VigiaError `nao_encontrado`, before the first file
 */
export async function exportEvento(deps: ExportDeps, caller: Caller, id: number): Promise<AsyncGenerator<ZipEntry>> {
  const evento = await getEvent(deps, caller, id)
  await record(deps, caller, 'evento', evento)
  const nome = () => `evento nº ${id}`
  const subject = { nome, arquivo: 'evento', incidente: null, eventos: [id], passagens: [] } as const
  return filesOf(deps, caller, { ...subject, empresaId: evento.empresa_id })
}

/** The same for an incidente, with the files of its newest events. */
export async function exportIncidente(deps: ExportDeps, caller: Caller, id: number): Promise<AsyncGenerator<ZipEntry>> {
  const incidente = await getIncidente(deps, caller, id)
  await record(deps, caller, 'incidente', incidente)
  const eventos = incidente.lista.map((evento) => evento.id)
  const subject = { nome: () => `incidente nº ${id}`, arquivo: 'incidente', incidente, eventos, passagens: [] } as const
  return filesOf(deps, caller, { ...subject, empresaId: incidente.empresa_id })
}

function record(
  { db, clock }: ExportDeps,
  caller: Caller,
  objeto: 'evento' | 'incidente',
  { id, camera_nome, empresa_id }: EventoDetalhe | IncidenteDetalhe,
): Promise<void> {
  return transact(db, (tx) =>
    auditChange(tx, clock.now(), caller, {
      acao: 'exportar',
      objeto,
      id,
      nome: camera_nome,
      empresaId: empresa_id,
      antes: null,
      depois: null,
    }),
  )
}

/** Files of one archive. Events that are deleted meanwhile are left out. */
export async function* filesOf(deps: ExportDeps, caller: Caller, subject: Subject): AsyncGenerator<ZipEntry> {
  const { arquivo, incidente } = subject
  const jsonFile = jsonFiles(deps.basePath)
  const isOne = arquivo === 'evento'
  const empresa = await findEmpresa(deps.db, subject.empresaId)
  const fuso = empresa?.fuso_horario ?? FUSO_PADRAO
  const about = { empresa: empresa?.nome ?? '', fuso, incidente }
  const nome = subject.nome(fuso)
  const when = localTime(new Date(deps.clock.now()).toISOString(), fuso)
  const origem = `Exportação do ${nome} do Vigia, por ${callerName(caller)}, em ${when}.`
  const page = `${arquivo}.html`
  const hashes: string[] = []
  const hashRows: Html[] = []
  const listed = <E extends ZipBytes | ArchivedClip>(entry: E): E => {
    const hash = 'bytes' in entry ? createHash('sha256').update(entry.bytes).digest('hex') : entry.sha256
    hashes.push(`${hash}  ${entry.name}\n`)
    hashRows.push(hashRow(hash, entry.name))
    return entry
  }
  yield listed(textFile('LEIA-ME.txt', readme(`${origem} Horas no fuso ${fuso}.`, page, incidente)))
  if (incidente) yield listed(jsonFile('incidente.json', incidente))
  const sections: Html[] = []
  const clips = createArchivedClips(deps, (id) => (isOne ? 'clipe.mp4' : `clipes/${id}.mp4`))
  for (const id of subject.eventos) {
    const folder = isOne ? '' : `eventos/${id}/`
    const evento = await orNull(getEvent(deps, caller, id))
    if (!evento) continue
    yield listed(jsonFile(`${folder}evento.json`, evento))
    const pictures: ReportEvento['pictures'][number][] = []
    for await (const { name, caption, bytes } of picturesOf(deps, caller, evento, folder)) {
      pictures.push({ name, caption })
      yield listed({ name, bytes })
    }
    const taken = { recebido_em: Date.parse(evento.recebido_em), ocorrido_em: Date.parse(evento.ocorrido_em) }
    const hidden = hidesPlate(caller, evento) || (await hidesUnmasked(deps.db, caller, evento.camera_id, taken))
    const found = hidden ? null : await clips.of(id)
    if (found?.isNew) yield listed(found.clip)
    const atendimentos = arquivo === 'periodo' ? await answersOf(deps, caller, evento) : []
    if (atendimentos.length > 0) yield listed(jsonFile(`${folder}respostas.json`, atendimentos))
    sections.push(eventoSection(about, { evento, pictures, clip: found?.clip ?? null, atendimentos }))
    await setImmediate()
  }
  for (const id of hidesPlatesOf(caller, subject.empresaId) ? [] : subject.passagens) {
    const files = passageFiles(deps, caller, id)
    for (let next = await files.next(); ; next = await files.next()) {
      if (!next.done) yield listed(next.value)
      else if (next.value) sections.push(passagemSection(about, next.value))
      if (next.done) break
    }
    await setImmediate()
  }
  const report = { titulo: nome.replace(/^./, (letter) => letter.toUpperCase()), origem, sections, hashRows }
  const html = reportPage({ ...report, ...about })
  await setImmediate()
  yield listed(textFile(page, html))
  await setImmediate()
  yield textFile(HASHES, hashes.join(''))
}

async function answersOf(deps: ExportDeps, caller: Caller, { incidente_id }: EventoDetalhe) {
  const incidente = incidente_id === null ? null : await orNull(getIncidente(deps, caller, incidente_id))
  return incidente?.atendimentos ?? []
}

const textFile = (name: string, text: string): ZipBytes => ({ name, bytes: Buffer.from(text) })
const jsonFiles = (basePath: string) => {
  const json = jsonBelow(basePath)
  return (name: string, value: unknown): ZipBytes => textFile(name, `${json(value, 2)}\n`)
}

function readme(origem: string, page: string, incidente: IncidenteDetalhe | null): string {
  const missing = incidente ? incidente.eventos - incidente.lista.length : 0
  return `${origem}

Abra ${page} em um navegador: mostra tudo, também sem internet. Descompacte o arquivo antes.
Os arquivos .json têm os dados, com as horas em UTC. As imagens e os clipes são os guardados, sem alteração.
${HASHES} tem o resumo SHA-256 de cada arquivo. Para conferir que nada mudou depois da exportação:

  Linux, macOS:  sha256sum --check ${HASHES}
  Windows:       certutil -hashfile NOME-DO-ARQUIVO SHA256
${missing > 0 ? `\nFaltam ${missing} eventos: só vêm os ${MAX_LISTA_INCIDENTE} mais novos.\n` : ''}`
}
