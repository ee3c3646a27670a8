import { type Apagamento, ficouListaSchema } from '@vigia/contracts/apagamentos'
import { z } from 'zod'
import type { ApagamentoRow } from '../../../../db/rows.ts'
import type { Alvo } from './period-store.ts'

const camerasOf = ({ cameras_json }: ApagamentoRow): number[] | null =>
  cameras_json === null ? null : z.array(z.int()).parse(JSON.parse(cameras_json))

/** Records that a stored deletion reaches. */
export const alvoOf = (row: ApagamentoRow): Alvo => ({
  empresaId: row.empresa_id,
  inicio: row.inicio,
  fim: row.fim,
  cameras: camerasOf(row),
  placa: row.placa,
})

const instant = (epochMs: number): string => new Date(epochMs).toISOString()

export const viewApagamento = (row: ApagamentoRow): Apagamento => ({
  id: row.id,
  empresa_id: row.empresa_id,
  cameras: camerasOf(row),
  inicio: instant(row.inicio),
  fim: instant(row.fim),
  motivo: row.motivo,
  pedido_por: row.pedido_por,
  pedido_em: instant(row.pedido_em),
  estado: row.concluido_em === null ? 'em_curso' : 'concluido',
  concluido_em: row.concluido_em === null ? null : instant(row.concluido_em),
  total: row.total,
  eventos: row.eventos,
  gravacoes: row.gravacoes,
  descartados: row.descartados,
  preservados: row.preservados,
  placa: row.placa,
  passagens: row.passagens,
  passagens_preservadas: row.passagens_preservadas,
  ficou: row.ficou_json === null ? null : ficouListaSchema.parse(JSON.parse(row.ficou_json)),
})
