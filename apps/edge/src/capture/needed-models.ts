import type { CameraTask } from '@vigia/analysis/model'
import type { NomeIa, TarefaModelo } from '@vigia/contracts/ias'
import { evidenceOf } from '@vigia/ias/evidences'
import { isTarefaVisao } from '@vigia/vision/manifest'
import type { ModelState, TarefaVisao } from '@vigia/vision/sight'

interface Need {
  readonly tarefa: TarefaVisao
  /** The model has to know at least one of them. */
  readonly rotulos: readonly string[]
}

/** Models without which an IA sees nothing. */
const needsOf = (nome: NomeIa): readonly Need[] =>
  Object.entries(evidenceOf(nome).needs).flatMap(([tarefa, rotulos]) =>
    isTarefaVisao(tarefa as TarefaModelo) ? [{ tarefa: tarefa as TarefaVisao, rotulos }] : [],
  )

/** Models that a camera needs. */
export const neededModels = ({ analises }: Pick<CameraTask, 'analises'>): ReadonlySet<TarefaVisao> =>
  new Set(analises.flatMap(({ ia }) => needsOf(ia).map(({ tarefa }) => tarefa)))

/** Those of `ias` that see nothing: a model of theirs can not be used, or (an installer's own) does not know what they look for. */
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
