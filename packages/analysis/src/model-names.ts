import type { NomeIa, TarefaModelo } from '@vigia/contracts/ias'
import { evidenceOf } from '@vigia/ias/evidences'
import { isTarefaVisao } from '@vigia/vision/manifest'
import type { ModelRunner } from '@vigia/vision/model-runner'

/** Stands for a model's id in analyses that use no model. */
export const PICTURE_MODEL = 'imagem'

/** Registry ids of the models whose findings an IA uses, joined with `+`. */
export function modelNames(ia: NomeIa, runner: ModelRunner): string {
  const tarefas = Object.keys(evidenceOf(ia).needs) as TarefaModelo[]
  return tarefas.flatMap((tarefa) => (isTarefaVisao(tarefa) ? (runner.model(tarefa)?.id ?? []) : [])).join('+')
}
