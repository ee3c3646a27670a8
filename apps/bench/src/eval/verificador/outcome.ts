import type { NomeIa } from '@vigia/contracts/ias'
import type { Version } from './versions.ts'

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
  readonly decisao: 'confirmado' | 'refutado'
  readonly certeza: 'alta' | 'baixa'
  readonly confianca: number
}

export const grupos = ['pessoa', 'pessoa_principal', 'veiculo', 'fogo', 'fumaca', 'capacete'] as const
export type Grupo = (typeof grupos)[number]

/** IA whose judge decides on a group. */
export const iaOf: Readonly<Record<Grupo, NomeIa>> = {
  pessoa: 'invasao',
  pessoa_principal: 'invasao',
  veiculo: 'veiculo',
  fogo: 'fogo',
  fumaca: 'fumaca',
  capacete: 'epi',
}
