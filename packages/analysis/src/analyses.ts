import { ia, type NomeIa, type TarefaModelo } from '@vigia/contracts/ias'
import { createAnalysis } from '@vigia/ias/analysis'
import { threshold } from '@vigia/ias/calibration'
import { evidenceOf } from '@vigia/ias/evidences'
import type { Analysis, Fired, Observation } from '@vigia/ias/observation'
import type { AnalysisStates, CameraTask } from './model.ts'

/** What a camera is watched for. */
export type Watch = Pick<CameraTask, 'analises' | 'zonas' | 'linha' | 'fusoHorario'>
type Config = CameraTask['analises'][number]

/** What one analysis made of one frame. */
export interface Outcome {
  readonly ia: NomeIa
  /** Thresholds in force, as the candidate reports them. */
  readonly calibracao: Config['calibracao']
  readonly fired: readonly Fired[]
  readonly promising: readonly number[]
  /** What it remembers after this frame. */
  readonly state: unknown
}

export interface AnalysisSet {
  /**
   * Watches for something else from the next frame on. Only the analyses whose own settings changed are made anew, and go on from what they
   * remember; the others do not notice. `states`: what an analysis that was not there before remembers from earlier.
   */
  watch(watch: Watch, states: AnalysisStates): void
  isEmpty(): boolean
  /** Whether any of them, or any that needs the findings of `tarefa`, may fire at `epochMs`. */
  armed(epochMs: number, tarefa?: TarefaModelo): boolean
  /** Labels of the tracked task that any of them looks at. */
  labels(): readonly string[]
  /** Lowest confidence that any of them accepts; 1 when there is none. */
  minConf(): number
  update(seen: Observation): Outcome[]
}

interface Active {
  readonly analysis: Analysis
  readonly config: Config
  /** Everything that it depends on, as text. */
  readonly settings: string
}

/**
 * The analyses that the settings of one camera ask for and that follow the tracks of `tarefa` (null: the picture as a whole), each continued
 * from its state.
 */
export function createAnalysisSet(tarefa: TarefaModelo | null, watch: Watch, states: AnalysisStates): AnalysisSet {
  let active = new Map<NomeIa, Active>()

  function begin({ analises, ...scene }: Watch, saved: AnalysisStates) {
    const next = new Map<NomeIa, Active>()
    for (const config of analises) {
      if (evidenceOf(config.ia).tracks !== tarefa) continue
      const before = active.get(config.ia)
      const settings = settingsOf(config, scene)
      const state = before ? before.analysis.state() : saved[config.ia]
      const same = before?.settings === settings
      const analysis = same ? before.analysis : createAnalysis({ ...config, ...scene }, state)
      if (analysis) next.set(config.ia, { analysis, config, settings })
    }
    active = next
  }
  begin(watch, states)

  const all = () => [...active.values()]

  return {
    watch: begin,
    isEmpty: () => active.size === 0,
    armed: (epochMs, needed) =>
      all().some(({ analysis }) => (needed === undefined || needsTask(analysis.ia, needed)) && analysis.armed(epochMs)),
    labels: () => [...new Set(all().flatMap(({ config }) => labelsOf(config.ia, tarefa)))],
    minConf: () => Math.min(1, ...all().map(({ config }) => evidenceOf(config.ia).trackConf ?? confOf(config))),
    update: (seen) =>
      all().map(({ analysis, config }) => {
        const fired = analysis.update(seen)
        const { calibracao } = config
        return { ia: config.ia, calibracao, fired, promising: analysis.promising(), state: analysis.state() }
      }),
  }
}

const needsTask = (nome: NomeIa, tarefa: TarefaModelo) => evidenceOf(nome).needs[tarefa] !== undefined

function labelsOf(nome: NomeIa, tarefa: TarefaModelo | null): readonly string[] {
  const { needs, uses } = evidenceOf(nome)
  return [...((tarefa && needs[tarefa]) ?? []), ...uses]
}
const confOf = (config: Config) => threshold(config.ia, config.calibracao, 'conf')

/** The geometry and the time zone count only where the IA looks at them: a zone that was moved is nothing to a line. */
function settingsOf(config: Config, { zonas, linha, fusoHorario }: Omit<Watch, 'analises'>): string {
  const { geometria } = ia(config.ia)
  return JSON.stringify([
    config.calibracao,
    config.agenda,
    config.agenda && fusoHorario,
    geometria === 'zona' ? zonas : null,
    geometria === 'linha' ? linha : null,
  ])
}
