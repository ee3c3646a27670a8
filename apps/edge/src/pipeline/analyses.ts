import { ia, type NomeIa } from '@vigia/contracts/ias'
import { createAnalysis } from '@vigia/rules/analysis'
import { threshold } from '@vigia/rules/calibration'
import type { Analysis } from '@vigia/rules/observation'
import type { AnalysisStates, CameraTask } from '../capture/protocol.ts'

/** What a camera is watched for. */
export type Watch = Pick<CameraTask, 'analises' | 'zonas' | 'linha' | 'fusoHorario'>

export interface ActiveAnalysis {
  readonly analysis: Analysis
  /** Thresholds in force, as the candidate reports them. */
  readonly calibracao: CameraTask['analises'][number]['calibracao']
}

export interface AnalysisSet {
  readonly active: readonly ActiveAnalysis[]
  /** Labels that any of them looks at. */
  readonly labels: readonly string[]
  /** Lowest confidence that any of them accepts. */
  readonly minConf: number
}

/** The analyses of one camera that run on the objects detector, each continued from its state. */
export function createAnalysisSet({ analises, ...scene }: Watch, states: AnalysisStates): AnalysisSet {
  const active = analises.flatMap((config) => {
    if (ia(config.ia).modelo !== 'objetos') return []
    const analysis = createAnalysis({ ...config, ...scene }, states[config.ia])
    return analysis ? [{ analysis, calibracao: config.calibracao }] : []
  })
  const confs = active.map(({ analysis, calibracao }) => threshold(analysis.ia, calibracao, 'conf'))
  return {
    active,
    labels: [...new Set(active.flatMap(({ analysis }) => ia(analysis.ia).rotulos))],
    minConf: Math.min(1, ...confs),
  }
}

/** States by IA, to continue from. */
export const statesOf = ({ active }: AnalysisSet): AnalysisStates =>
  Object.fromEntries(active.map(({ analysis }) => [analysis.ia satisfies NomeIa, analysis.state()]))
