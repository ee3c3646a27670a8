import type { NomeIa } from '@vigia/contracts/ias'
import { createAglomeracao } from './aglomeracao.ts'
import { createCameraObstruida } from './camera-obstruida.ts'
import { createCruzamentoLinha } from './cruzamento-linha.ts'
import { createEpi } from './epi.ts'
import { createFogo } from './fogo.ts'
import { createFumaca } from './fumaca.ts'
import { createInvasao } from './invasao.ts'
import { createObjetoAbandonado } from './objeto-abandonado.ts'
import type { Analysis, AnalysisConfig } from './observation.ts'
import { createPermanencia } from './permanencia.ts'
import { createVeiculo } from './veiculo.ts'

/** Every IA that this software can run. An IA of the catalogue that is missing here is reported, never ignored in silence. */
const factories: Partial<Record<NomeIa, (config: AnalysisConfig, state?: unknown) => Analysis>> = {
  invasao: createInvasao,
  cruzamento_linha: createCruzamentoLinha,
  permanencia: createPermanencia,
  aglomeracao: createAglomeracao,
  veiculo: createVeiculo,
  objeto_abandonado: createObjetoAbandonado,
  epi: createEpi,
  fogo: createFogo,
  fumaca: createFumaca,
  camera_obstruida: createCameraObstruida,
}

/**
 * The analysis of `config.ia`, continued from `state` (what `Analysis.state` gave, in this process or the one before).
 * null: this software cannot run that IA yet.
 */
export const createAnalysis = (config: AnalysisConfig, state?: unknown): Analysis | null =>
  factories[config.ia]?.(config, state) ?? null

export const isSupported = (ia: NomeIa): boolean => factories[ia] !== undefined
