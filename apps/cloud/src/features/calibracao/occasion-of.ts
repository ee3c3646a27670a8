import { pontoTrajetoSchema } from '@vigia/contracts/candidate'
import { caixaSchema } from '@vigia/contracts/eventos'
import { nomesIas } from '@vigia/contracts/ias'
import { limiaresSchema } from '@vigia/contracts/values'
import { detailsShape } from '@vigia/ias/catalogue'
import type { Occasion } from '@vigia/ias/replay/occasion'
import { z } from 'zod'
import type { CandidatoRow } from './store.ts'

const caixasSchema = z.array(caixaSchema)
const detalhesSchema = z.object(detailsShape)
const trajetoSchema = z.array(pontoTrajetoSchema)

/** A stored event as a candidate of the replay; none for an IA that this release does not know. */
export function occasionOf(row: CandidatoRow): Occasion[] {
  const ia = nomesIas.find((nome) => nome === row.tipo)
  if (ia === undefined) return []
  return [
    {
      key: `evento ${row.id}`,
      ia,
      fired: true,
      stopped: null,
      epochMs: row.ocorrido_em,
      confianca: row.confianca,
      caixas: caixasSchema.parse(JSON.parse(row.caixas_json)),
      trajeto: row.trajeto_json === null ? [] : trajetoSchema.parse(JSON.parse(row.trajeto_json)),
      detalhes: detalhesSchema.parse(JSON.parse(row.detalhes_json)),
      calibracao: limiaresSchema.parse(JSON.parse(row.calibracao_json)),
      visit: null,
      marks: null,
    },
  ]
}
