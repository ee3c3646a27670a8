import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { auditChange, sistema } from '../../audit/audit-change.ts'
import type { Database } from '../../db/open.ts'
import { DAY_MS, type Seeded, seedEvento } from '../records/retention-records.ts'

export async function countEventos(db: Database) {
  const count = async (table: 'eventos' | 'clipes') => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  return { eventos: await count('eventos'), clipes: await count('clipes') }
}

export async function heldKinds(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('apagamentos_retidos').select('tipo').where('confirmado', '=', 0).execute()
  return rows.map(({ tipo }) => tipo).sort()
}

/** A report of the box: its clock minus that of the cloud, at a time of ages. */
export const setBoxClock = async (
  db: Database,
  edgeId: number,
  { ms, em, local = false }: { readonly ms: number; readonly em: number; readonly local?: boolean },
): Promise<void> => {
  await db
    .updateTable('edges')
    .set({ desvio_central_ms: ms, desvio_em: em, local: local ? 1 : 0 })
    .where('id', '=', edgeId)
    .execute()
}

/** Answered events without pictures, older than the retention or new. */
export async function seedOldEventos(
  seeded: Seeded,
  { old, young, at }: { readonly old: number; readonly young: number; readonly at: number },
): Promise<void> {
  for (let i = 0; i < old + young; i += 1)
    await seedEvento(seeded, i < old ? at - 91 * DAY_MS : at, { resposta: 'falso' })
  await seeded.db.updateTable('eventos').set({ crop_path: null, quadro_path: null }).execute()
}

/** Kinds of the whole installation in tables of their own. */
export const seededKinds = [
  'descartados',
  'presencas',
  'entregas',
  'avisos',
  'envios_push',
  'lacunas_sem_camera',
] as const
export type SeededKind = (typeof seededKinds)[number]

/** Numbers of rows that a test makes. */
let numbers = 0

/** Rows of a kind with this stamp. @param canalId of avisos and deliveries, `inscricaoId` of push messages */
export async function seedKind(
  seeded: Seeded & { readonly canalId: number; readonly inscricaoId: number },
  kind: SeededKind,
  n: number,
  at: number,
): Promise<void> {
  const { db, empresaId, edgeId, cameraId, canalId, inscricaoId } = seeded
  const camera = { empresa_id: empresaId, camera_id: cameraId, ocorrido_em: at }
  const candidate = {
    ...camera,
    tipo: 'invasao',
    motivo: 'conf',
    omitidos: 0,
    dados_json: '{}',
    caminho: null,
  } as const
  const delivery = { canal_id: canalId, destino: 'https://exemplo.com.br/a', mensagem_json: '{}', erro: null } as const
  const gap = { edge_id: edgeId, camera_id: cameraId + 1, ocorrido_de: null, ocorrido_ate: null } as const
  const pushed = { inscricao_id: inscricaoId, evento_id: 1, criado_em: at }
  for (let i = 0; i < n; i += 1) {
    const id = randomUUID()
    numbers += 1
    const number = numbers
    const insert = {
      descartados: () => db.insertInto('descartados').values({ uuid: id, ...candidate, recebido_em: at }),
      presencas: () => db.insertInto('presencas').values({ empresa_id: null, abaixo: 1, inicio: at, fim: at }),
      entregas: () =>
        db.insertInto('entregas').values({
          ...delivery,
          mensagem_id: id,
          estado: 'entregue',
          criada_em: at,
          terminada_em: at,
          erro_em: null,
        }),
      avisos: () =>
        db.insertInto('avisos_evento').values({
          canal_id: canalId,
          evento_id: number,
          incidente_id: null,
          situacao: 'confirmado',
          mensagem_id: null,
          criado_em: at,
        }),
      envios_push: () => db.insertInto('envios_push').values({ ...pushed, etiqueta: id }),
      lacunas_sem_camera: () =>
        db.insertInto('lacunas').values({
          ...gap,
          uuid: id,
          de_seq: i,
          ate_seq: i,
          motivo: 'cota_de_disco',
          registrada_em: at,
        }),
    }
    await insert[kind]().execute()
  }
}

export async function countSeeded(db: Database, kind: SeededKind): Promise<number> {
  const table = { avisos: 'avisos_evento', lacunas_sem_camera: 'lacunas' }[kind as string] ?? kind
  const { n } = await db
    .selectFrom(table as 'presencas')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Kinds of an Empresa, apart from events and their alert log. */
export const ownKinds = ['imagens', 'clipes', 'auditoria', 'quedas', 'lacunas', 'passagens'] as const
export type OwnKind = (typeof ownKinds)[number]

/** Rows of a kind of an Empresa with this stamp. */
export async function seedOwnKind(seeded: Seeded, kind: OwnKind, n: number, at: number): Promise<void> {
  const { db, empresaId: empresa_id, edgeId: edge_id, cameraId: camera_id } = seeded
  const place = { empresa_id, camera_id, edge_id }
  for (let i = 0; i < n; i += 1) {
    const uuid = randomUUID()
    numbers += 1
    const number = numbers
    const insert = {
      imagens: () => seedEvento(seeded, at, { resposta: 'falso' }),
      clipes: () =>
        db
          .insertInto('clipes')
          .values({
            ...place,
            uuid,
            inicio: at,
            duracao_ms: 12_000,
            codec: 'h264',
            codecs: 'avc1',
            largura: 640,
            altura: 360,
            tamanho: 1,
            caminho: `clipes/2026/11/21/${uuid}.mp4`,
            tira: null,
            sha256: '',
            estado: 'guardado',
            motivo: null,
            desejado: 1,
            pedido_em: at,
            guardado_em: at,
            recebido_em: at,
          })
          .execute(),
      auditoria: () =>
        auditChange(db, at, sistema, {
          acao: 'criar',
          objeto: 'camera',
          id: i,
          nome: null,
          empresaId: empresa_id,
          antes: null,
          depois: { nome: 'x' },
        }),
      quedas: () =>
        db
          .insertInto('quedas')
          .values({ ...place, camera_id: number, nome: 'Caixa', motivo: 'x', inicio: at, fim: at })
          .execute(),
      lacunas: () =>
        db
          .insertInto('lacunas')
          .values({
            uuid,
            edge_id,
            camera_id,
            ocorrido_de: null,
            ocorrido_ate: null,
            de_seq: number,
            ate_seq: number,
            motivo: 'cota_de_disco',
            registrada_em: at,
          })
          .execute(),
      passagens: () =>
        db
          .insertInto('passagens')
          .values({
            ...place,
            camera_nome: 'Portão',
            uuid,
            revisao: 1,
            inicio: at,
            ocorrido_em: at,
            fim: at,
            recebida_em: at,
            placa: 'ABC1D23',
            candidatas_json: '[]',
            foto_path: null,
            foto_placa_path: null,
            dataset_path: null,
          })
          .execute(),
    }
    await insert[kind]()
  }
}

export async function countOwn(db: Database, kind: OwnKind): Promise<number> {
  const { n } = await db
    .selectFrom((kind === 'imagens' ? 'eventos' : kind) as 'eventos')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .$if(kind === 'imagens', (qb) => qb.where('crop_path', 'is not', null))
    // Only those that `seedOwnKind` makes.
    .$if(kind === 'auditoria', (qb) => qb.where(sql`objeto`, '=', 'camera'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Longest retention of the events and their alert log, so that a test sees another kind alone. */
export async function keepEventos(db: Database, empresaId: number): Promise<void> {
  const rule = { empresa_id: empresaId, dias: 3_650, bytes: null }
  await db
    .insertInto('retencoes')
    .values([
      { ...rule, tipo: 'eventos' },
      { ...rule, tipo: 'alertas' },
    ])
    .execute()
}

/** A browser of a login. */
export async function seedInscricao(db: Database): Promise<number> {
  const login = { username: 'ana', username_chave: 'ana', senha_hash: '', papel: 'administrador' } as const
  const { id: usuario_id } = await db
    .insertInto('usuarios')
    .values({ ...login, empresa_id: null, criado_em: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('inscricoes_push')
    .values({
      usuario_id,
      endpoint_hash: '',
      destino_cifrado: '',
      servico: '',
      contato: '',
      gravidade_min: 'baixa',
      nome: '',
      criada_em: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Sets the time of ages, without a doubt. */
export async function restartAges(db: Database, at: number): Promise<void> {
  const none = { duvida_desde: null, desvio_ms: null, acordo_desde: null }
  await db
    .updateTable('relogio')
    .set({ hora: at, salto_desde: at, salto_ms: 0, ...none })
    .execute()
  await db.deleteFrom('carimbos_duvidosos').execute()
}
