import { comuns, type Ia } from '../catalogue-entry.ts'

export const catalogo = {
  nome: 'invasao',
  ordem: 10,
  titulo: 'Invasão',
  palavras: 'invasao|invasoes|invadiu|invasor(?:es)?',
  descricao: 'Pessoa dentro da zona vigiada',
  ingles: { titulo: 'Intrusion', descricao: 'Person inside the watched zone' },
  pergunta: 'Há uma pessoa de verdade na caixa marcada, mesmo que só em parte visível?',
  gravidade: 'alta',
  marcas: 'exatas',
  classeHomeAssistant: 'motion',
  geometria: 'zona',
  modelo: 'objetos',
  rotulos: ['person'],
  limiares: comuns(0.45, 3, 10, 0.0015),
  detalhes: {},
} as const satisfies Ia
