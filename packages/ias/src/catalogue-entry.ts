import type { z } from 'zod'

/**
 * Types and defaults of an IA's `catalogue.ts`. Imported by every catalogue entry, so this file imports none of them.
 */

export const gravidades = ['baixa', 'media', 'alta', 'critica'] as const
export type Gravidade = (typeof gravidades)[number]

/** Tasks of the models that feed the analyses. */
export const tarefasModelo = ['objetos', 'epi', 'fogo', 'placas'] as const
export type TarefaModelo = (typeof tarefasModelo)[number]

/** One calibration threshold. `booleano` thresholds take true/false; all others a number in [minimo, maximo]. */
export interface Limiar {
  readonly padrao: number | boolean
  readonly minimo: number
  readonly maximo: number
  /** Unit of the number; `fracao` is 0–1. */
  readonly unidade: 'fracao' | 'quadros' | 's' | 'pessoas' | 'objetos' | 'codigo' | 'booleano'
  readonly descricao: string
}

export interface Ia {
  /** Name of the folder and of the entry in registro.ts. */
  readonly nome: string
  /** Position in every list of IAs, ascending. */
  readonly ordem: number
  readonly titulo: string
  /**
   * Regular expression of its names in a sentence of the search, in lower case without accents. Missing: its title.
   */
  readonly palavras?: string
  readonly descricao: string
  /** For a dashboard in English. The API is Portuguese. */
  readonly ingles: { readonly titulo: string; readonly descricao: string }
  /**
   * Thing that a verdict names, without article: “Pode ser …”. If missing, the names of the labels in the event.
   */
  readonly assunto?: { readonly portugues: string; readonly ingles: string }
  /** Portuguese yes-or-no question to a language model about the cut (vlm-question.ts). Missing: from `descricao`. */
  readonly pergunta?: string
  readonly gravidade: Gravidade
  /** Silence of the camera never mutes this IA: its events mean that the camera does not see. */
  readonly rompeSilencio?: true
  /**
   * Its rule reports marks (chances.ts): with `exatas` a replay decides as the rule does, with `tempo` it estimates
   * another `permanencia_s`. Missing: an estimate from events alone.
   */
  readonly marcas?: 'exatas' | 'tempo'
  /** Device class in Home Assistant (home-assistant.io/integrations/binary_sensor). Default: `safety`. */
  readonly classeHomeAssistant?: string
  /** Geometry that the analysis uses: `linha` is required, `zona` only restricts. */
  readonly geometria: 'nenhuma' | 'zona' | 'linha'
  /** Task of the model that feeds the analysis; null: the analysis needs only the picture. */
  readonly modelo: TarefaModelo | null
  /** Height of a person in pixels below which this IA misses most events. Missing: any size that is detected. */
  readonly pessoaPx?: number
  /** Labels of the model that this analysis uses. */
  readonly rotulos: readonly string[]
  readonly limiares: Readonly<Record<string, Limiar>>
  /**
   * Fields of `detalhes` that this IA fills. A field with the same name in two IAs has the same schema (details.ts).
   */
  readonly detalhes: Readonly<Record<string, z.ZodType>>
}

export const fracao = (padrao: number, descricao: string): Limiar => ({
  padrao,
  minimo: 0,
  maximo: 1,
  unidade: 'fracao',
  descricao,
})

export const segundos = (padrao: number, maximo: number, descricao: string): Limiar => ({
  padrao,
  minimo: 0,
  maximo,
  unidade: 's',
  descricao,
})

export const sim = (descricao: string): Limiar => booleano(true, descricao)
export const nao = (descricao: string): Limiar => booleano(false, descricao)

const booleano = (padrao: boolean, descricao: string): Limiar => ({
  padrao,
  minimo: 0,
  maximo: 1,
  unidade: 'booleano',
  descricao,
})

/** The part of a clip around an event of this IA. */
export const janelaDoClipe = {
  clipe_antes_s: segundos(5, 25, 'Parte do clipe antes do evento'),
  clipe_depois_s: segundos(5, 25, 'Parte do clipe depois do evento'),
}

/** The thresholds of every IA. */
export const comuns = (conf: number, minQuadros: number, resfriamentoS: number, areaMin: number) => ({
  conf: fracao(conf, 'Confiança mínima da detecção'),
  min_quadros: {
    padrao: minQuadros,
    minimo: 1,
    maximo: 300,
    unidade: 'quadros',
    descricao: 'Quadros analisados seguidos em que o objeto precisa aparecer',
  } satisfies Limiar,
  resfriamento_s: segundos(resfriamentoS, 86_400, 'Tempo mínimo entre dois eventos desta IA na mesma câmera'),
  area_min: fracao(areaMin, 'Área mínima do objeto, como fração do quadro'),
  ...janelaDoClipe,
})

/** Vehicle labels of the object models. */
export const VEICULOS = ['car', 'motorcycle', 'bus', 'truck'] as const
