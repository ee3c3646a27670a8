import type { NomeIa } from '@vigia/contracts/ias'
import type { Version } from './versions.ts'

export type Seen = Record<string, number>

/** The verdict on one labelled candidate. */
export interface Outcome {
  /** Group of IAs with one judge. */
  readonly grupo: Grupo
  /** Data set, and size of the picture for footage. */
  readonly fonte: string
  readonly versao: Version | 'taxa_baixa'
  /** The label. */
  readonly verdadeiro: boolean
  readonly alturaPx: number
  /** Confidence of the first model; null: the box is the label. */
  readonly primeira: number | null
  /** Noise and brightness around the box, grey levels. */
  readonly ruido: number
  readonly luz: number
  readonly nitidez: number | null
  /** Confidences of the second model: by label, or by region of a detector ("0", "1", …). */
  readonly segundo: Seen
  readonly decisao: 'confirmado' | 'refutado'
  readonly certeza: 'alta' | 'baixa'
  readonly confianca: number
}

export const grupos = [
  'pessoa',
  'pessoa_recortes',
  'pessoa_principal',
  'veiculo',
  'fogo',
  'fumaca',
  'capacete',
] as const
export type Grupo = (typeof grupos)[number]

/** IA whose judge decides on a group. */
export const iaOf: Readonly<Record<Grupo, NomeIa>> = {
  pessoa: 'invasao',
  pessoa_recortes: 'invasao',
  pessoa_principal: 'invasao',
  veiculo: 'veiculo',
  fogo: 'fogo',
  fumaca: 'fumaca',
  capacete: 'epi',
}
