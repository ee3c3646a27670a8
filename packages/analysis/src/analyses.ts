import { ia, type NomeIa, type TarefaModelo } from '@vigia/contracts/ias'
import { createAnalysis } from '@vigia/ias/analysis'
import { threshold } from '@vigia/ias/calibration'
import type { Chance } from '@vigia/ias/chance'
import { evidenceOf } from '@vigia/ias/evidences'
import type { Analysis, Fired, Observation } from '@vigia/ias/observation'
import type { AnalysisStates, CameraTask } from './model.ts'

/** The analyses of one camera with their geometry and time zone. */
export type AnalysisSettings = Pick<CameraTask, 'analises' | 'zonas' | 'linha' | 'fusoHorario' | 'feriados' | 'modoB'>
type Config = CameraTask['analises'][number]

/** Result of one analysis for one frame. */
export interface Outcome {
  readonly ia: NomeIa
  /** Thresholds in force, which become part of the candidate. */
  readonly calibracao: Config['calibracao']
  readonly fired: readonly Fired[]
  readonly promising: readonly number[]
  readonly chances: readonly Chance[]
  /** State of the analysis after this frame. */
  readonly state: unknown
}

export interface AnalysisSet {
  /**
   * Changes the settings from the next frame on. Only analyses whose own settings changed are replaced, and they keep
   * their state. `states`: stored states for added analyses.
   */
  configure(settings: AnalysisSettings, states: AnalysisStates): void
  isEmpty(): boolean
  /** Whether any analysis, or any that needs the evidence of `tarefa`, is armed at `epochMs`. */
  armed(epochMs: number, tarefa?: TarefaModelo): boolean
  /** Whether an armed analysis follows objects of the background model. */
  watchesStill(epochMs: number): boolean
  /** Earliest stream time at which an analysis needs a frame without motion; null: none. */
  wakesAtMs(): number | null
  /** Labels of the tracked task that the analyses use. */
  labels(): readonly string[]
  /** Lowest confidence that an analysis accepts; 1 without analyses. */
  minConf(): number
  update(seen: Observation): Outcome[]
}

interface Active {
  readonly analysis: Analysis
  readonly config: Config
  /** All settings of the analysis, as text. */
  readonly settings: string
}

/**
 * The analyses of one camera that follow the tracks of `tarefa` (null: the whole picture), each continued from its
 * state.
 */
export function createAnalysisSet(
  tarefa: TarefaModelo | null,
  settings: AnalysisSettings,
  states: AnalysisStates,
): AnalysisSet {
  let active = new Map<NomeIa, Active>()

  function begin({ analises, ...scene }: AnalysisSettings, saved: AnalysisStates) {
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
  begin(settings, states)

  const all = () => [...active.values()]

  return {
    configure: begin,
    isEmpty: () => active.size === 0,
    armed: (epochMs, needed) =>
      all().some(({ analysis }) => (needed === undefined || needsTask(analysis.ia, needed)) && analysis.armed(epochMs)),
    watchesStill: (epochMs) =>
      all().some(({ analysis }) => evidenceOf(analysis.ia).stillObjects === true && analysis.armed(epochMs)),
    wakesAtMs() {
      const times = all().flatMap(({ analysis }) => analysis.wakesAtMs?.() ?? [])
      return times.length > 0 ? Math.min(...times) : null
    },
    labels: () => [...new Set(all().flatMap(({ config }) => labelsOf(config.ia, tarefa)))],
    minConf: () => Math.min(1, ...all().map(({ config }) => evidenceOf(config.ia).trackConf ?? confOf(config))),
    update: (seen) =>
      all().map(({ analysis, config }) => {
        const fired = analysis.update(seen)
        const { calibracao } = config
        const [promising, chances] = [analysis.promising(), analysis.chances?.() ?? []]
        return { ia: config.ia, calibracao, fired, promising, chances, state: analysis.state() }
      }),
  }
}

const needsTask = (nome: NomeIa, tarefa: TarefaModelo) => evidenceOf(nome).needs[tarefa] !== undefined

function labelsOf(nome: NomeIa, tarefa: TarefaModelo | null): readonly string[] {
  const { needs, uses } = evidenceOf(nome)
  return [...((tarefa && needs[tarefa]) ?? []), ...uses]
}
const confOf = (config: Config) => threshold(config.ia, config.calibracao, 'conf')

/** Geometry and time zone count only for IAs that use them: a moved zone does not affect a line. */
function settingsOf(
  config: Config,
  { zonas, linha, fusoHorario, feriados }: Omit<AnalysisSettings, 'analises'>,
): string {
  const { geometria } = ia(config.ia)
  return JSON.stringify([
    config.calibracao,
    config.agenda,
    config.agenda && [fusoHorario, feriados],
    geometria === 'zona' ? zonas : null,
    geometria === 'linha' ? linha : null,
  ])
}
