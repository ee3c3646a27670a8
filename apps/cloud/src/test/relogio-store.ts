import { randomUUID } from 'node:crypto'
import type { Database } from '../db/open.ts'
import { DAY_MS, type Seeded, seedEvento } from './retention-records.ts'

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
export type SeededKind = 'descartados' | 'presencas' | 'entregas' | 'avisos' | 'envios_push' | 'lacunas_sem_camera'

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
    const number = at + i
    const insert = {
      descartados: () => db.insertInto('descartados').values({ uuid: id, ...candidate, recebido_em: at }),
      presencas: () => db.insertInto('presencas').values({ empresa_id: null, abaixo: 1, inicio: at, fim: at }),
      entregas: () =>
        db.insertInto('entregas').values({
          ...{ ...delivery, mensagem_id: id, estado: 'entregue', criada_em: at, terminada_em: at, erro_em: null },
        }),
      avisos: () =>
        db.insertInto('avisos_evento').values({
          ...{ canal_id: canalId, evento_id: number, incidente_id: null, situacao: 'confirmado', mensagem_id: null },
          criado_em: at,
        }),
      envios_push: () => db.insertInto('envios_push').values({ ...pushed, etiqueta: id }),
      lacunas_sem_camera: () =>
        db.insertInto('lacunas').values({
          ...{ ...gap, uuid: id, de_seq: i, ate_seq: i, motivo: 'cota_de_disco', registrada_em: at },
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
      ...{ usuario_id, endpoint_hash: '', destino_cifrado: '', servico: '', contato: '', gravidade_min: 'baixa' },
      ...{ nome: '', criada_em: 1 },
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
