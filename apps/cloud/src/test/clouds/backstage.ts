import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { drawBoxes } from '@vigia/vision/draw-boxes'
import { keyFile, loadOrCreateKeys } from '../../adapters/key-file.ts'
import { openMediaStore } from '../../adapters/media-store/open-media-store.ts'
import { createSecretBox } from '../../adapters/secret-box.ts'
import { loadConfig } from '../../config.ts'
import { subtreeIds } from '../../db/empresas.ts'
import { findEvent } from '../../db/eventos.ts'
import type { Database } from '../../db/open.ts'
import type { NewEvento } from '../../db/rows.ts'
import { transact } from '../../db/transaction.ts'
import { signPicture } from '../../domains/eventos/eventos/picture-link.ts'
import { takeIds } from '../../domains/operacao/ingestao/ids-store.ts'
import { ingestBatch } from '../../domains/operacao/ingestao/ingest-batch.ts'
import { storeEvents } from '../../domains/operacao/ingestao/store-eventos.ts'
import { saveVerdict } from '../../domains/operacao/verificacao/save-verdict.ts'
import { batch, FRAME, JPEG, passage, seedActivatedEdge, seedOneCamera } from '../records/records.ts'
import { openTestDatabase } from './template.ts'
import { startTestApp, type TestApp } from './test-app.ts'

const CAIXAS = [{ rotulo: 'person', confianca: 0.7, x: 0.1, y: 0.2, w: 0.3, h: 0.4 }]

/** The frame of an event, as agents get it. */
export const drawnFrame = (): Promise<Buffer> => drawBoxes(FRAME, CAIXAS)

export interface SeededCamera {
  readonly empresaId: number
  readonly edgeId: number
  readonly cameraId: number
}

/**
 * Writes eventos into the database and media store of a running app, as another replica does. The verification of the
 * app ignores them: the test sets each verdict.
 */
export interface Backstage {
  /** Address of the app. */
  readonly url: string
  readonly db: Database
  /** A camera of that Empresa on an activated edge. */
  camera(empresaId: number): Promise<SeededCamera>
  /** A camera that reads the plates of vehicles that enter. */
  gateCamera(empresaId: number): Promise<SeededCamera>
  /** Stores a pending evento of that camera and returns its id. */
  event(camera: SeededCamera, change?: Partial<NewEvento>): Promise<number>
  /** Stores a recording of a new camera, with a file. Returns its id. */
  gravacao(empresaId: number): Promise<number>
  /** Stores a clip of that event, with `file` as its content. */
  clip(eventId: number, file?: Buffer): Promise<void>
  /** The incidente of an event. */
  incidenteOf(eventId: number): Promise<number>
  /** A passage with its pictures. */
  passagem(camera: SeededCamera, change?: Partial<RegistroPassagem>): Promise<number>
  /** Signature of the address of the event's picture. */
  pictureLink(eventId: number): Promise<string>
  /** A pendencia of the Empresa about a deleted evento: a retry has nothing to do. */
  stopped(empresaId: number): Promise<number>
  /** `certeza`: `alta` unless given. */
  verdict(eventId: number, decisao: 'confirmado' | 'refutado', certeza?: 'alta' | 'baixa'): Promise<void>
  /**
   * Deletes the records of Empresas and of their descendants, except counts, so that lists do not grow during long
   * runs.
   */
  forget(empresaIds: readonly number[]): Promise<void>
  close(): Promise<void>
}

/** @param env settings of the app */
export async function openBackstage(
  app: Pick<TestApp, 'url' | 'dataDir' | 'clock'>,
  env: Readonly<Record<string, string>> = {},
): Promise<Backstage> {
  const db = await openTestDatabase(join(app.dataDir, 'cloud/vigia.db'))
  const media = await openMediaStore(loadConfig({ ...env, VIGIA_DATA_DIR: app.dataDir }))
  let seq = 0
  let passageSeq = 0
  async function camera(empresaId: number): Promise<SeededCamera> {
    const edgeId = await seedActivatedEdge(db, empresaId)
    return { empresaId, edgeId, cameraId: await seedOneCamera(db, empresaId, edgeId) }
  }
  return {
    url: app.url,
    db,
    camera,
    async gateCamera(empresaId) {
      const seeded = await camera(empresaId)
      const modo_b_config_json = JSON.stringify({ ativo: true, papel: 'entrada', local: 'Garagem' })
      await db.updateTable('cameras').set({ modo_b_config_json }).where('id', '=', seeded.cameraId).execute()
      return seeded
    },
    async event({ empresaId, edgeId, cameraId }, change = {}) {
      seq += 1
      const uuid = randomUUID()
      const crop_path = `eventos/2026/11/21/${uuid}-crop.jpg`
      await media.put(crop_path, JPEG)
      const quadro_path = `eventos/2026/11/21/${uuid}-quadro.jpg`
      await media.put(quadro_path, FRAME)
      const row = {
        uuid,
        empresa_id: empresaId,
        camera_id: cameraId,
        camera_nome: 'Portão',
        edge_id: edgeId,
        seq,
        tipo: 'invasao',
        gravidade: 'alta',
        ocorrido_em: app.clock.now(),
        recebido_em: app.clock.now(),
        relogio_json: '{"desvio_ms":null,"sincronizado":true}',
        confianca: 0.7,
        rotulos_json: '["person"]',
        caixas_json: JSON.stringify(CAIXAS),
        zona: null,
        crop_path,
        quadro_path,
        calibracao_json: '{}',
        instrucoes_json: '[]',
        modelo: 'nanodet-g-416',
        detalhes_json: '{}',
        ...change,
      } as const
      return transact(db, async (tx) => {
        const id = await takeIds(tx, 1)
        await storeEvents(tx, [{ ...row, id }])
        return id
      })
    },
    async gravacao(this: Backstage, empresaId) {
      const camera = await this.camera(empresaId)
      const event = await this.event(camera)
      await this.clip(event)
      const member = await db
        .selectFrom('clipes_eventos')
        .select('clipe_id')
        .where('evento_id', '=', event)
        .executeTakeFirstOrThrow()
      const now = app.clock.now()
      const { id } = await db
        .insertInto('gravacoes')
        .values({
          uuid: randomUUID(),
          empresa_id: empresaId,
          camera_id: camera.cameraId,
          camera_nome: 'Portão',
          edge_id: camera.edgeId,
          inicio: now - 60_000,
          fim: now,
          estado: 'recebida',
          progresso: 1,
          falha: null,
          clipe_id: member.clipe_id,
          completa: 1,
          relogio_json: null,
          pedida_por: 'gerente',
          criada_em: now,
          vaga_login: null,
          vaga_gravador: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async clip(eventId, file = Buffer.from('0123456789')) {
      const event = await findEvent(db, eventId, null)
      if (!event) throw new Error(`no event ${eventId}`)
      const uuid = randomUUID()
      const caminho = `clipes/2026/11/21/${uuid}.mp4`
      await media.put(caminho, file)
      const now = app.clock.now()
      const { empresa_id, camera_id, edge_id } = event
      const { id } = await db
        .insertInto('clipes')
        .values({
          uuid,
          empresa_id,
          camera_id,
          edge_id,
          inicio: now,
          duracao_ms: 12_000,
          codec: 'h264',
          caminho,
          codecs: 'avc1.4d401f',
          largura: 640,
          altura: 360,
          tamanho: file.length,
          sha256: '0'.repeat(64),
          estado: 'guardado',
          motivo: null,
          desejado: 1,
          pedido_em: now,
          guardado_em: now,
          recebido_em: now,
          tira: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const member = { evento_id: eventId, clipe_id: id, deslocamento_ms: 5_000, motivo: null }
      await db.insertInto('clipes_eventos').values(member).execute()
      await db.updateTable('eventos').set({ clipe_em: now }).where('id', '=', eventId).execute()
    },
    async incidenteOf(eventId) {
      const row = await db.selectFrom('eventos').select('incidente_id').where('id', '=', eventId).executeTakeFirst()
      if (row?.incidente_id == null) throw new Error(`event ${eventId} has no incidente`)
      return row.incidente_id
    },
    async passagem({ edgeId, cameraId }, change = {}) {
      passageSeq += 1
      const record = passage(cameraId, passageSeq, { change })
      await ingestBatch({ db, media, clock: app.clock }, edgeId, batch([record]))
      const { passagem_id } = await db
        .selectFrom('registros_passagem')
        .select('passagem_id')
        .where('uuid', '=', record.id)
        .executeTakeFirstOrThrow()
      return passagem_id
    },
    async pictureLink(eventId) {
      const row = await findEvent(db, eventId, null)
      const box = createSecretBox(loadOrCreateKeys(keyFile({ cloudDir: join(app.dataDir, 'cloud') }))[0])
      return (row && signPicture({ clock: app.clock, box }, row)?.split('/').at(-1)) ?? ''
    },
    async stopped(empresaId) {
      const at = app.clock.now()
      const row = {
        tipo: 'verificacao',
        chave: String(randomInt(2 ** 40, 2 ** 47)),
        raiz_id: empresaId,
        empresa_id: empresaId,
      } as const
      const failed = {
        prioridade: 1,
        estado: 'parado',
        em: null,
        tentativas: 1,
        erro: 'Sem imagem.',
        erro_em: at,
      } as const
      const values = { ...row, ...failed, faixa: null, grupo: null, criado_em: at, posse: null }
      return (await db.insertInto('trabalhos').values(values).returning('id').executeTakeFirstOrThrow()).id
    },
    async verdict(eventId, decisao, certeza = 'alta') {
      const veredito = { decisao, certeza, confianca: 0.9, motivo: 'Pessoa vista.', fonte: 'teste' }
      const detalhes = (await findEvent(db, eventId, null))?.detalhes_json ?? '{}'
      await transact(db, (tx) => saveVerdict(tx, eventId, veredito, detalhes, app.clock.now()))
    },
    async forget(empresaIds) {
      // Read before the transaction: SQLite refuses a write after a read if another process wrote in between.
      const trees = await Promise.all(empresaIds.map((id) => subtreeIds(db, id)))
      const ids = trees.flatMap((tree) => [...tree])
      await transact(db, async (tx) => {
        const tables = [
          'trabalhos',
          'cameras',
          'gravadores',
          'canais_notificacao',
          'chaves',
          'edges',
          'usuarios',
        ] as const
        for (const table of tables) await tx.deleteFrom(table).where('empresa_id', 'in', ids).execute()
      })
    },
    close: () => db.destroy(),
  }
}

/** The app and its backstage; `stop` of the app closes both. */
export async function startWithBackstage(
  env: Readonly<Record<string, string>> = {},
  given: Parameters<typeof startTestApp>[1] = {},
): Promise<{ app: TestApp; backstage: Backstage }> {
  const app = await startTestApp(env, given)
  const backstage = await openBackstage(app, env)
  const stop = async () => {
    await backstage.close()
    await app.stop()
  }
  return { app: { ...app, stop }, backstage }
}
