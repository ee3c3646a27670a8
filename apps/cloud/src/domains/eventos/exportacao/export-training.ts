import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { invalid } from '@vigia/contracts/errors'
import { caixaSchema } from '@vigia/contracts/eventos'
import { MAX_IMAGENS_TREINAMENTO, type TreinamentoQuery } from '@vigia/contracts/treinamento'
import { jpegSize } from '@vigia/link/jpeg-size'
import { z } from 'zod'
import type { Clock } from '../../../adapters/clock.ts'
import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { localTime } from '../../../adapters/senders/local-time.ts'
import type { ZipEntry } from '../../../adapters/zip.ts'
import { auditChange } from '../../../audit/audit-change.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { HeavyReads } from '../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerName, requireWrite } from '../../../http/caller.ts'
import { readPeriod } from '../../../http/period.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { hidesUnmasked } from '../../../scope/unmasked.ts'
import { type CocoPicture, createCoco } from './coco.ts'
import { placeCrop } from './place-crop.ts'
import { listReviewed, readReviewed } from './store.ts'

interface TrainingDeps {
  readonly db: Database
  readonly reads: HeavyReads
  readonly media: MediaStore
  readonly clock: Clock
}

/** Events whose rows are read together. */
const AT_ONCE = 100

const caixasSchema = z.array(caixaSchema)
const whole = { x: 0, y: 0, w: 1, h: 1 }

/**
 * Records the export, once for each Empresa whose pictures leave, and returns its files: pictures, then the COCO file.
 * @throws VigiaError `proibido`, `nao_encontrado`, `validacao` for too many pictures or an inverted period
 */
export async function exportTraining(
  deps: TrainingDeps,
  caller: Caller,
  query: TreinamentoQuery,
  signal: AbortSignal,
): Promise<AsyncGenerator<ZipEntry>> {
  requireWrite(caller)
  const { db, clock } = deps
  const period = readPeriod(query)
  const empresas = await narrowScope(db, caller, query.empresa_id)
  const list = (read: Database) => listReviewed(read, { empresas, ...period }, MAX_IMAGENS_TREINAMENTO + 1)
  const found = empresas?.length === 0 ? [] : await deps.reads.run(caller, signal, list)
  if (found.length > MAX_IMAGENS_TREINAMENTO)
    throw invalid(
      ['query', 'desde'],
      `Há mais de ${MAX_IMAGENS_TREINAMENTO} imagens revisadas. Escolha um período menor, ou uma só Empresa.`,
      'too_many_images',
    )
  const owner = query.empresa_id ?? caller.empresaId
  const owners = Map.groupBy(found, ({ empresa_id }) => empresa_id)
  const counts = [...owners].map(([id, own]) => [id, own.length] as const)
  const records = counts.length > 0 ? counts : [[owner, 0] as const]
  const now = clock.now()
  const fuso = (owner === null ? undefined : await findEmpresa(db, owner))?.fuso_horario ?? FUSO_PADRAO
  await transact(db, async (tx) => {
    for (const [empresaId, imagens] of records)
      await auditChange(tx, now, caller, {
        acao: 'exportar',
        objeto: 'treinamento',
        id: null,
        nome: null,
        empresaId,
        antes: null,
        depois: { imagens, desde: query.desde ?? null, ate: query.ate ?? null },
      })
  })
  return filesOf(
    deps,
    caller,
    found.map(({ id }) => id),
    { now, fuso },
  )
}

async function* filesOf(
  deps: TrainingDeps,
  caller: Caller,
  ids: readonly number[],
  { now, fuso }: { readonly now: number; readonly fuso: string },
): AsyncGenerator<ZipEntry> {
  const coco = createCoco({ description: 'Imagens revisadas do Vigia', now })
  let without = 0
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    for (const row of await readReviewed(deps.db, ids.slice(i, i + AT_ONCE))) {
      const hidden = await hidesUnmasked(deps.db, caller, row.camera_id, row)
      const read = hidden ? null : await pictureOf(deps, row)
      if (read === null) {
        without += 1
        continue
      }
      coco.add(read.picture)
      yield { name: `images/${read.picture.file}`, bytes: read.bytes }
    }
  }
  yield { name: 'annotations/instances.json', bytes: coco.file() }
  yield {
    name: 'LEIA-ME.txt',
    bytes: Buffer.from(readme(callerName(caller), localTime(new Date(now).toISOString(), fuso), without)),
  }
}

/**
 * The crop, or the whole frame where the place of the crop in it is unknown. Returns null if the boxes have a known
 * place in no stored picture.
 */
async function pictureOf(
  { db, media }: TrainingDeps,
  seen: EventoRow,
): Promise<{ readonly picture: CocoPicture; readonly bytes: Buffer } | null> {
  let row = seen
  let crop = row.crop_path === null ? null : await media.read(row.crop_path)
  if (crop === null) {
    // A review may have moved it since its row was read.
    const [now] = await readReviewed(db, [row.id])
    row = now ?? row
    crop = row.crop_path === null ? null : await media.read(row.crop_path)
  }
  const caixas = caixasSchema.parse(JSON.parse(row.caixas_json))
  const frame = row.quadro_path === null ? null : await media.read(row.quadro_path)
  const [cropSize, frameSize] = [crop && jpegSize(crop), frame && jpegSize(frame)]
  const part = cropSize && frameSize && placeCrop(caixas, cropSize, frameSize)
  const chosen =
    crop && cropSize && (part || caixas.length === 0)
      ? { bytes: crop, size: cropSize, part: part ?? whole }
      : frame && frameSize && { bytes: frame, size: frameSize, part: whole }
  if (!chosen || row.revisao_rotulo === null) return null
  const { bytes, size } = chosen
  const about = { eventoId: row.id, file: `${row.revisao_rotulo}/${row.id}.jpg`, ocorridoEm: row.ocorrido_em }
  const picture = { ...about, ...size, caixas, part: chosen.part, rotulo: row.revisao_rotulo }
  return { picture: { ...picture, attributes: attributesOf(row) }, bytes }
}

/** The reviewer is absent: training needs no name of a person. */
const attributesOf = (row: EventoRow): CocoPicture['attributes'] => ({
  evento_id: row.id,
  tipo: row.tipo,
  camera_id: row.camera_id,
  revisao: row.revisao_rotulo,
  revisado_em: row.revisado_em === null ? null : new Date(row.revisado_em).toISOString(),
  veredito: row.veredito_decisao,
  veredito_confianca: row.veredito_confianca,
  veredito_fonte: row.veredito_fonte,
})

const readme = (name: string, when: string, without: number): string =>
  `Imagens revisadas do Vigia, exportadas por ${name}, em ${when}.

annotations/instances.json está no formato COCO. file_name é relativo à pasta images.
As caixas são [x, y, largura, altura] em pixels da imagem. Onde o lugar do recorte no quadro não é conhecido,
a imagem é o quadro inteiro.
As categorias falso_… têm as caixas dos alarmes falsos: não treine com elas como se fossem o objeto.
A revisão e o veredito estão em annotations[].attributes e em images[].attributes.
Cada imagem tem só as caixas do alarme; outras pessoas e coisas da imagem não estão marcadas.
Eventos sem imagem que se possa usar: ${without}.

As imagens mostram pessoas. Guarde-as como dados pessoais (LGPD).
`
