import type { CameraTask } from '@vigia/analysis/model'
import type { NomeIa, TarefaModelo } from '@vigia/contracts/ias'
import { evidenceOf } from '@vigia/ias/evidences'
import { isTarefaVisao } from '@vigia/vision/manifest'
import type { ModelState, TarefaVisao } from '@vigia/vision/model-runner'

interface Need {
  readonly tarefa: TarefaVisao
  /** Labels of which the model must support at least one. */
  readonly rotulos: readonly string[]
}

/** Models that an IA requires. */
const needsOf = (nome: NomeIa): readonly Need[] =>
  Object.entries(evidenceOf(nome).needs).flatMap(([tarefa, rotulos]) =>
    isTarefaVisao(tarefa as TarefaModelo) ? [{ tarefa: tarefa as TarefaVisao, rotulos }] : [],
  )

/** Models that a camera requires. */
export const neededModels = ({ analises, modoB }: Pick<CameraTask, 'analises' | 'modoB'>): ReadonlySet<TarefaVisao> =>
  new Set([
    ...analises.flatMap(({ ia }) => needsOf(ia).map(({ tarefa }) => tarefa)),
    ...(modoB ? (['objetos'] as const) : []),
  ])

/**
 * The entries of `ias` without a usable model: it is not available, or the installer's model lacks all required labels.
 */
export function unavailable(ias: readonly NomeIa[], models: readonly ModelState[]): NomeIa[] {
  const isBlind = ({ tarefa, rotulos }: Need) =>
    models.some(
      (model) =>
        model.tarefa === tarefa &&
        (model.estado === 'indisponivel' ||
          (model.estado === 'pronto' && !rotulos.some((rotulo) => model.rotulos.includes(rotulo)))),
    )
  return ias.filter((nome) => needsOf(nome).some(isBlind))
}
