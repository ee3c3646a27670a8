import type { DadoQueFica, Ficou } from '@vigia/contracts/apagamentos'
import { type Reached, reasonOf } from '../../../../db/data-register/data-register.ts'
import type { Database } from '../../../../db/open.ts'
import type { Alvo } from './period-store.ts'

type Left = Reached<'period' | 'plate', 'stays'> & DadoQueFica

/** Counts the rows of each table whose rows stay (db/data-register): a table without a counter does not compile. */
const counters = {
  placas: (db, { empresaId, placa }) =>
    db
      .selectFrom('placas')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('empresa_id', '=', empresaId)
      .where('placa', '=', placa ?? '')
      .executeTakeFirstOrThrow(),
  cameras: (db, { empresaId, placa }) =>
    db
      .selectFrom('cameras')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('empresa_id', '=', empresaId)
      .where('modo_b_config_json', 'like', `%"${placa}"%`)
      .executeTakeFirstOrThrow(),
  auditoria: (db, { empresaId, placa }) =>
    db
      .selectFrom('auditoria')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('empresa_id', '=', empresaId)
      .where('objeto', 'in', ['passagem', 'placa', 'camera'])
      .where((eb) =>
        eb.or([
          eb('objeto_nome', '=', placa),
          eb('antes_json', 'like', `%${placa}%`),
          eb('depois_json', 'like', `%${placa}%`),
        ]),
      )
      .executeTakeFirstOrThrow(),
  entregas: (db, { empresaId, inicio, fim, placa }) =>
    db
      .selectFrom('entregas')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('canal_id', 'in', (eb) =>
        eb.selectFrom('canais_notificacao').select('id').where('empresa_id', '=', empresaId),
      )
      .where('criada_em', '>=', inicio)
      .where('criada_em', '<', fim)
      .$if(placa !== null, (qb) => qb.where('mensagem_json', 'like', `%${placa}%`))
      .executeTakeFirstOrThrow(),
} satisfies Record<Reached<'period' | 'plate', 'stays'>, (db: Database, alvo: Alvo) => Promise<{ readonly n: number }>>

/** Rows that a deletion leaves in tables that it does not reach, with the reason of each table. */
export async function countLeft(db: Database, alvo: Alvo): Promise<Ficou[]> {
  const promise = alvo.placa === null ? 'period' : 'plate'
  const left: Ficou[] = []
  for (const dado of Object.keys(counters) as Left[]) {
    const motivo = reasonOf(dado, promise)
    const quantos = motivo === '' ? 0 : Number((await counters[dado](db, alvo)).n)
    if (quantos > 0) left.push({ dado, quantos, motivo })
  }
  return left
}

const HELD = 'preservados: alguém preservou um evento. Deixe de preservá-lo para apagar.'

/** Records that a hold keeps. */
export const heldLeft = (eventos: number, passagens: number): Ficou[] => [
  ...(eventos === 0 ? [] : [{ dado: 'eventos' as const, quantos: eventos, motivo: HELD }]),
  ...(passagens === 0 ? [] : [{ dado: 'passagens' as const, quantos: passagens, motivo: HELD }]),
]
