import { comuns, type Ia } from '../catalogue-entry.ts'

export const catalogo = {
  nome: 'fumaca',
  ordem: 70,
  titulo: 'Fumaça',
  descricao: 'Fumaça visível',
  gravidade: 'alta',
  geometria: 'zona',
  modelo: 'fogo',
  rotulos: ['smoke'],
  // Smoke is seen badly (apps/model-tools/training, README): it has to be seen more surely than fire, and it lasts, where passers-by do not.
  limiares: comuns(0.6, 15, 120, 0.005),
  detalhes: {},
} as const satisfies Ia
