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

/** Those of `ias` that see nothing: a model of theirs can not be used, or (an installer's own) does not know what they look for. */
export function unavailable(ias: readonly NomeIa[], models: readonly ModelState[]): NomeIa[] {
  const unusable = new Set(models.flatMap(({ tarefa, estado }) => (estado === 'indisponivel' ? [tarefa] : [])))
  const isBlind = (nome: NomeIa) => {
    const { modelo, rotulos } = ia(nome)
    const model = models.find(({ tarefa, estado }) => tarefa === modelo && estado === 'pronto')
    return model !== undefined && !rotulos.some((rotulo) => model.rotulos.includes(rotulo))
  }
  return ias.filter((nome) => modelsOf(nome).some((tarefa) => unusable.has(tarefa)) || isBlind(nome))
}
