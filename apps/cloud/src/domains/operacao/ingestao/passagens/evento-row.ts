import { randomUUID } from 'node:crypto'
import type { Gravidade } from '@vigia/contracts/ias'
import type { SituacaoPlaca } from '@vigia/contracts/passagens'
import { type RegistroPassagem, registroPassagemSchema } from '@vigia/contracts/registro-passagem'
import type { z } from 'zod'
import { uncertainColumns } from '../../../../db/hora-incerta.ts'
import type { ListedPlate } from '../../../../db/match-placa.ts'
import type { NewEvento } from '../../../../db/rows.ts'
import type { CameraOfEvento } from '../candidate-row.ts'

/** Fields of a record that an event needs and that `passagens` has no column for. */
const registroDoEventoSchema = registroPassagemSchema.pick({
  seq: true,
  relogio: true,
  hora_incerta: true,
  ocorrido_em: true,
  confianca: true,
  trilha: true,
  conf_placa: true,
  caixa: true,
  modelo: true,
})
type RegistroDoEvento = z.infer<typeof registroDoEventoSchema>

/** Fields of the newest record, as a passage stores them (`registro_json`). */
export const storedFieldsOf = (registro: RegistroPassagem): string =>
  JSON.stringify(registroDoEventoSchema.parse(registro))

export const readStoredFields = (json: string): RegistroDoEvento => registroDoEventoSchema.parse(JSON.parse(json))

interface PassageEvento {
  readonly registro: RegistroDoEvento
  readonly camera: Pick<CameraOfEvento, 'id' | 'empresa_id' | 'nome' | 'instrucoes_json'>
  readonly retroativo: boolean
  readonly gravidade: Gravidade
  readonly fotoPath: string | null
  readonly detalhes: ListedPlate & {
    /** Id of the passage. */
    readonly passagem_id: number
    readonly placa: string | undefined
    readonly confianca_placa: number | undefined
    readonly lista: SituacaoPlaca | null
    /** Name of the login that corrected the plate. */
    readonly corrigida_por?: string
  }
}

/** The event of a passage whose plate a list names, or that the camera alerts on. */
export const eventOf = (
  { registro, camera, retroativo, gravidade, fotoPath, detalhes }: PassageEvento,
  { edgeId, now }: { readonly edgeId: number; readonly now: number },
): Omit<NewEvento, 'id'> => ({
  uuid: randomUUID(),
  empresa_id: camera.empresa_id,
  camera_id: camera.id,
  camera_nome: camera.nome,
  edge_id: edgeId,
  seq: registro.seq,
  tipo: 'placa',
  gravidade,
  ocorrido_em: registro.ocorrido_em,
  recebido_em: now,
  relogio_json: JSON.stringify(registro.relogio),
  confianca: registro.confianca,
  rotulos_json: JSON.stringify([registro.caixa.rotulo]),
  caixas_json: JSON.stringify([registro.caixa]),
  zona: null,
  crop_path: fotoPath,
  quadro_path: null,
  calibracao_json: JSON.stringify({ conf: registro.conf_placa }),
  instrucoes_json: camera.instrucoes_json,
  modelo: registro.modelo,
  detalhes_json: JSON.stringify(detalhes),
  trajeto_json: null,
  retroativo: retroativo ? 1 : 0,
  trilha: registro.trilha,
  passagem_id: detalhes.passagem_id,
  ...uncertainColumns(registro),
})
