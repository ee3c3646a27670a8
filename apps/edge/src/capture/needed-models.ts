import { ia, type NomeIa } from '@vigia/contracts/ias'
import type { ModelState, TarefaVisao } from '@vigia/vision/sight'
import type { CameraTask } from './protocol.ts'

/** Models without which an IA sees nothing. What a person wears is looked for on people, who have to be found first. */
function modelsOf(nome: NomeIa): readonly TarefaVisao[] {
  const { modelo } = ia(nome)
  if (modelo === null || modelo === 'placas') return []
  return modelo === 'epi' ? ['objetos', 'epi'] : [modelo]
}

/** Models that a camera needs. */
export const neededModels = ({ analises }: Pick<CameraTask, 'analises'>): ReadonlySet<TarefaVisao> =>
  new Set(analises.flatMap(({ ia }) => modelsOf(ia)))

/** Those of `ias` that see nothing, since a model of theirs can not be used. */
export function unavailable(ias: readonly NomeIa[], models: readonly ModelState[]): NomeIa[] {
  const unusable = new Set(models.flatMap(({ tarefa, estado }) => (estado === 'indisponivel' ? [tarefa] : [])))
  return ias.filter((nome) => modelsOf(nome).some((tarefa) => unusable.has(tarefa)))
}
