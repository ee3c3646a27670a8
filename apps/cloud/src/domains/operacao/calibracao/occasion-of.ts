import { caixaSchema, pontoTrajetoSchema } from '@vigia/contracts/eventos'
import type { Descartado } from '@vigia/contracts/extras'
import { nomesIas } from '@vigia/contracts/ias'
import { limiaresSchema } from '@vigia/contracts/values'
import { detailsShape, type NomeIa } from '@vigia/ias/catalogue'
import type { StoredDiscard, StoredEvent } from '@vigia/ias/replay/join'
import { stopReasons } from '@vigia/ias/replay/occasion'
import { z } from 'zod'
import type { DescartadoRow } from '../../../db/descartados.ts'
import type { CandidatoRow } from './store.ts'

const caixasSchema = z.array(caixaSchema)
const detalhesSchema = z.object(detailsShape)
const trajetoSchema = z.array(pontoTrajetoSchema)

/** Written by the ingest (plan-descartado.ts) from a checked record. A second check of 5,000 would take 0.3 s. */
type Dados = Omit<
  Descartado,
  'tipo' | 'v' | 'id' | 'camera_id' | 'ia' | 'ocorrido_em' | 'motivo' | 'omitidos' | 'imagem'
>

export const eventKey = ({ id }: { readonly id: number }): string => `evento ${id}`
export const discardKey = ({ id }: { readonly id: number }): string => `descartado ${id}`

/** undefined: an IA that this release does not know. */
const iaOf = (tipo: string): NomeIa | undefined => nomesIas.find((nome) => nome === tipo)

export function storedEvent(row: CandidatoRow): StoredEvent[] {
  const ia = iaOf(row.tipo)
  if (ia === undefined) return []
  return [
    {
      key: eventKey(row),
      ia,
      epochMs: row.ocorrido_em,
      confianca: row.confianca,
      caixas: caixasSchema.parse(JSON.parse(row.caixas_json)),
      trajeto: row.trajeto_json === null ? [] : trajetoSchema.parse(JSON.parse(row.trajeto_json)),
      detalhes: detalhesSchema.parse(JSON.parse(row.detalhes_json)),
      calibracao: limiaresSchema.parse(JSON.parse(row.calibracao_json)),
      trilha: row.trilha,
    },
  ]
}

export function storedDiscard(row: DescartadoRow): StoredDiscard[] {
  const ia = iaOf(row.tipo)
  const motivo = stopReasons.find((reason) => reason === row.motivo)
  if (ia === undefined || motivo === undefined) return []
  const { disparou_ms, ...dados } = JSON.parse(row.dados_json) as Dados
  return [{ ...dados, key: discardKey(row), ia, motivo, epochMs: row.ocorrido_em, disparouMs: disparou_ms }]
}
