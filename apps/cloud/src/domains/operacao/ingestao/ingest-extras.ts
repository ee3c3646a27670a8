import type { ConfirmacaoExtra, Evidencia, Extra } from '@vigia/contracts/extras'
import { type DecodedExtra, decodeExtras } from '@vigia/link/extras-batch'
import { fitsItsPixels, jpegSize } from '@vigia/link/jpeg-size'
import type { DescartadoRow } from '../../../db/descartados.ts'
import type { EvidenciaRow } from '../../../db/evidencias.ts'
import { lockEdge } from '../../../db/locks.ts'
import { countMediaWithinLimits, NoMediaSpace } from '../../../db/media-bytes.ts'
import { listForDeletion } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { onlyReplica } from '../../../replicas/replica.ts'
import { demandOf, unlimitedSpace } from '../../../scope/media-space.ts'
import { enqueueEvidencia } from '../verificacao/enqueue-evidencia.ts'
import type { OwnedFile } from './candidate-row.ts'
import {
  type Absence,
  insertAbsences,
  insertClipes,
  type KnownClipes,
  type NewClipe,
  readClipes,
} from './clipe-store.ts'
import { insertDescartados, type KnownDescartados, readDescartados } from './descartado-store.ts'
import { insertEvidencias, type KnownEvidencias, readEvidencias } from './evidencia-store.ts'
import type { IngestDeps } from './ingest-batch.ts'
import { createClipePlan } from './plan-clipe.ts'
import { createDescartadoPlan } from './plan-descartado.ts'
import { removeUncounted } from './remove-uncounted.ts'
import { isActivatedEdge } from './store.ts'

export type IngestedExtras =
  | { readonly ok: false; readonly motivo: string }
  | {
      readonly ok: true
      readonly respostas: readonly ConfirmacaoExtra[]
      readonly gravados: number
      /** Extras of Empresas without space for media, without an answer. */
      readonly esperam: readonly string[]
    }

interface ExtrasPlan {
  readonly respostas: ConfirmacaoExtra[]
  readonly linhas: Omit<EvidenciaRow, 'id'>[]
  readonly descartados: Omit<DescartadoRow, 'id'>[]
  readonly clipes: NewClipe[]
  readonly ausencias: Absence[]
  readonly midias: OwnedFile[]
  readonly esperam: string[]
}

/** Pictures of one event: two of the analysed stream, one of the main stream, and one in reserve. */
const MOST_OF_EVENTO = 4
/** Longest side, in pixels: the verifier decodes the picture. */
const MAX_SIDE = 2_048

/**
 * Stores extras like a batch (ingest-batch.ts): files first, then rows in one transaction. Rejects if the database or
 * the disk fails; the caller must then send no answer. An edge that is not activated gets no answer.
 */
export async function ingestExtras(
  { db, media, clock, replica = onlyReplica, space = unlimitedSpace }: IngestDeps,
  edgeId: number,
  payload: Buffer,
): Promise<IngestedExtras> {
  const lote = decodeExtras(payload)
  if (!lote.ok) return lote
  if (!(await isActivatedEdge(db, edgeId))) return { ok: true, respostas: [], gravados: 0, esperam: [] }
  const now = clock.now()
  const extras = lote.itens.flatMap((item) => (item.ok ? [item.extra] : []))
  const at = { edgeId, now }
  const before = await readKnown(db, extras, at, { lock: false })
  const demand = demandOf(planExtras(lote.itens, before, { ...at, waiting: new Map() }).midias)
  const waiting = await space.waiting(demand, 'imagem')
  const { midias } = planExtras(lote.itens, before, { ...at, waiting })
  await media.putAll(midias)
  const store = async (tx: Database) => {
    await lockEdge(tx, edgeId)
    await replica.requireOwner(tx, edgeId)
    const known = await readKnown(tx, extras, at, { lock: true })
    const decided = planExtras(lote.itens, known, { ...at, waiting })
    const used = new Set(decided.midias.map(({ path }) => path))
    const written = new Set(midias.map(({ path }) => path))
    if ([...used].some((path) => !written.has(path))) throw new Error('extras changed during their processing')
    await insertEvidencias(tx, decided.linhas, new Map(decided.midias.map(({ path, bytes }) => [path, bytes.length])))
    const touched = new Set(decided.linhas.map(({ evento_id }) => evento_id))
    await enqueueEvidencia(
      tx,
      [...known.eventos.values()].filter(({ id }) => touched.has(id)),
      now,
    )
    await insertDescartados(tx, decided.descartados)
    await insertClipes(tx, decided.clipes, now)
    await insertAbsences(tx, decided.ausencias, now)
    // Their event was removed while the files were written.
    const unused = [...written].filter((path) => !used.has(path) && !isStored(known, path))
    await listForDeletion(tx, unused)
    await countMediaWithinLimits(
      tx,
      decided.midias.map(({ path, empresaId, bytes }) => ({ path, empresaId, bytes: bytes.length })),
    )
    return decided
  }
  const plan = await transact(db, store).catch(async (error: unknown) => {
    // Another edge took the space meanwhile. The edge repeats what gets no answer.
    if (error instanceof NoMediaSpace) await removeUncounted({ db, media }, midias)
    throw error
  })
  return {
    ok: true,
    respostas: plan.respostas,
    gravados: plan.respostas.filter(({ resultado }) => resultado === 'gravado').length,
    esperam: plan.esperam,
  }
}

interface Known extends KnownEvidencias {
  readonly descartados: KnownDescartados
  readonly clipes: KnownClipes
}

async function readKnown(
  db: Database,
  extras: readonly Extra[],
  at: { readonly edgeId: number; readonly now: number },
  { lock }: { readonly lock: boolean },
): Promise<Known> {
  const evidencias = extras.filter((extra) => extra.tipo === 'evidencia')
  const descartados = extras.filter((extra) => extra.tipo === 'descartado')
  const clipes = extras.filter(
    (extra) => extra.tipo === 'clipe' || extra.tipo === 'sem_clipe' || extra.tipo === 'sem_clipes',
  )
  const known = await readEvidencias(db, evidencias, { lock })
  return {
    ...known,
    descartados: await readDescartados(db, descartados, at),
    clipes: await readClipes(db, clipes, { lock, edgeId: at.edgeId }),
  }
}

/** A repeated message on the same day writes the file of the stored row again. */
function isStored({ imagens, descartados, clipes }: Known, path: string): boolean {
  const uuid = path.slice(path.lastIndexOf('/') + 1, -'.jpg'.length)
  return imagens.has(uuid) || descartados.uuids.has(uuid) || clipes.uuids.has(uuid)
}

type Resposta = Pick<ConfirmacaoExtra, 'resultado' | 'motivo'>

/** Plans extras one by one. */
function planExtras(
  itens: readonly DecodedExtra[],
  known: Known,
  at: { readonly edgeId: number; readonly now: number; readonly waiting: ReadonlyMap<number, string> },
): ExtrasPlan {
  const imagens = new Map(known.imagens)
  const quantas = new Map(known.quantas)
  const plan: ExtrasPlan = {
    respostas: [],
    linhas: [],
    descartados: [],
    clipes: [],
    ausencias: [],
    midias: [],
    esperam: [],
  }

  const planDescartado = createDescartadoPlan(known.descartados, at.now)
  const planClipe = createClipePlan(known.clipes, at)

  /** null: the extra waits for space. */
  function takeExtra(extra: Extra, imagem: Buffer): Resposta | null {
    if (extra.tipo === 'evidencia') return take(extra, imagem)
    if (extra.tipo === 'descartado') {
      const { resposta, linha, midia } = planDescartado(extra, imagem)
      if (linha && midia && at.waiting.has(linha.empresa_id)) return null
      if (linha) plan.descartados.push(linha)
      if (linha && midia) plan.midias.push({ ...midia, empresaId: linha.empresa_id })
      return resposta
    }
    const { resposta, clipe, ausencias, midia } = planClipe(extra, imagem)
    if (clipe && midia && at.waiting.has(clipe.linha.empresa_id)) return null
    if (clipe) plan.clipes.push(clipe)
    plan.ausencias.push(...ausencias)
    if (clipe && midia) plan.midias.push({ ...midia, empresaId: clipe.linha.empresa_id })
    return resposta
  }

  function take(evidencia: Evidencia, imagem: Buffer): Resposta | null {
    const evento = known.eventos.get(evidencia.evento.toLowerCase())
    const recusado = (motivo: string) => ({ resultado: 'recusado', motivo }) as const
    if (evento?.edge_id !== at.edgeId || evento.camera_id !== evidencia.camera_id)
      return recusado('O evento da imagem não existe.')
    // A full Empresa loses later pictures with the first one. Without it they would stay.
    if (evento.crop_path === null) return recusado('O evento não tem mais imagens.')
    const uuid = evidencia.id.toLowerCase()
    const of = imagens.get(uuid)
    if (of !== undefined)
      return of === evento.id ? { resultado: 'repetido', motivo: null } : recusado('O identificador já foi usado.')
    // The budget of the camera (budget-store.ts) also bounds the pictures of its events.
    if ('adiado' in (JSON.parse(evento.detalhes_json) as object))
      return recusado('A câmera passou do limite de eventos por minuto.')
    const ordem = (quantas.get(evento.id) ?? 0) + 1
    if (ordem > MOST_OF_EVENTO) return recusado('O evento já tem todas as imagens.')
    const size = jpegSize(imagem)
    if (size === null || Math.max(size.width, size.height) > MAX_SIDE || !fitsItsPixels(imagem, size))
      return recusado('A imagem não é um JPEG válido, ou é grande demais.')
    if (at.waiting.has(evento.empresa_id)) return null
    imagens.set(uuid, evento.id)
    quantas.set(evento.id, ordem)
    const caminho = mediaPath(uuid, at.now)
    plan.midias.push({ path: caminho, bytes: imagem, empresaId: evento.empresa_id })
    plan.linhas.push({
      uuid,
      evento_id: evento.id,
      ordem,
      fonte: evidencia.fonte,
      dt_ms: evidencia.dt_ms,
      redetectada: evidencia.redetectada ? 1 : 0,
      caixas_json: JSON.stringify(evidencia.caixas),
      caminho,
      sha256: evidencia.imagem.sha256,
      recebida_em: at.now,
    })
    return { resultado: 'gravado', motivo: null }
  }

  for (const item of itens) {
    if (item.ok) {
      const resposta = takeExtra(item.extra, item.imagem)
      if (resposta === null) plan.esperam.push(item.extra.id)
      else plan.respostas.push({ id: item.extra.id, ...resposta })
    } else if (item.id !== null)
      plan.respostas.push({ id: item.id, resultado: 'recusado', motivo: `Registro ilegível: ${item.motivo}` })
  }
  return plan
}

/** Folders are named by the cloud's day of arrival, because an edge's clock is not trusted. */
const mediaPath = (uuid: string, epochMs: number): string =>
  `evidencias/${new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '/')}/${uuid}.jpg`
