import { comuns, type Ia } from '../catalogue-entry.ts'

export const catalogo = {
  nome: 'fogo',
  ordem: 60,
  titulo: 'Fogo',
  palavras: 'fogo|incendios?',
  descricao: 'Chamas visíveis',
  ingles: { titulo: 'Fire', descricao: 'Visible flames' },
  pergunta: 'Há chamas de verdade na caixa marcada, e não luz, reflexo ou objeto de cor parecida?',
  gravidade: 'critica',
  classeHomeAssistant: 'heat',
  geometria: 'zona',
  modelo: 'fogo',
  rotulos: ['fire'],
  limiares: comuns(0.5, 4, 60, 0.001),
  detalhes: {},
} as const satisfies Ia
