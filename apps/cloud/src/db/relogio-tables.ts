import type { TipoRetencao } from '@vigia/contracts/retencao'
import type { Generated } from 'kysely'

/** Tables of the time that ages count against (adapters/age-step.ts). */
export interface RelogioTables {
  relogio: RelogioTable
  apagamentos_retidos: ApagamentosRetidosTable
  regras_varridas: RegrasVarridasTable
}

/** One row; its times are epoch ms of the time of ages. */
interface RelogioTable {
  id: 1
  /** The time of ages; null: it has not begun. */
  hora: number | null
  salto_desde: number | null
  salto_ms: Generated<number>
  duvida_desde: number | null
  desvio_ms: number | null
  acordo_desde: number | null
}

/** A sweep that would delete most records of a kind, and waits. */
interface ApagamentosRetidosTable {
  empresa_id: number
  tipo: TipoRetencao
  desde: number
  quantos: number
  total: number
  /** 1: a person has confirmed it. */
  confirmado: Generated<0 | 1>
}

interface RegrasVarridasTable {
  empresa_id: number
  tipo: TipoRetencao
  dias: number
}
