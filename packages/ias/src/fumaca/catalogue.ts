import { comuns, type Ia } from '../catalogue-entry.ts'

export const catalogo = {
  nome: 'fumaca',
  ordem: 70,
  titulo: 'Fumaça',
  palavras: 'fumaca',
  descricao: 'Fumaça visível',
  ingles: { titulo: 'Smoke', descricao: 'Visible smoke' },
  pergunta: 'Há fumaça de verdade na caixa marcada, e não vapor, neblina, poeira ou reflexo?',
  gravidade: 'alta',
  classeHomeAssistant: 'smoke',
  geometria: 'zona',
  modelo: 'fogo',
  rotulos: ['smoke'],
  // Smoke is hard to recognise (apps/model-tools/training, README), so it needs more confidence than fire and more
  // frames than a passer-by lasts.
  limiares: comuns(0.6, 15, 120, 0.005),
  detalhes: {},
} as const satisfies Ia
