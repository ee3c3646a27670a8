import type { TipoPorPrazo } from '@vigia/contracts/retencao'
import type { Generated } from 'kysely'

/** Tables of the time that ages count against (adapters/age-step.ts). */
export interface RelogioTables {
  relogio: RelogioTable
  apagamentos_retidos: ApagamentosRetidosTable
  regras_varridas: RegrasVarridasTable
  carimbos_duvidosos: CarimbosDuvidososTable
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

/**
 * A sweep that would delete most records of a kind, and waits. A kind of the installation waits in each root Empresa.
 */
interface ApagamentosRetidosTable {
  empresa_id: number
  tipo: TipoPorPrazo
  desde: number
  quantos: number
  total: number
  /** 1: a person has confirmed it. */
  confirmado: Generated<0 | 1>
}

interface RegrasVarridasTable {
  empresa_id: number
  tipo: TipoPorPrazo
  dias: number
}

/** Times of the wall clock while it was set back. Records with such a stamp are younger than it says. */
interface CarimbosDuvidososTable {
  de: number
  ate: number
  /** Time of ages at the last of these stamps. */
  hora: number
}
