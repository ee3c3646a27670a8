import { comuns, type Ia } from '../catalogue-entry.ts'
import { pessoas } from '../details.ts'

export const catalogo = {
  nome: 'aglomeracao',
  ordem: 40,
  titulo: 'Aglomeração',
  palavras: 'aglomeracao|aglomeracoes',
  descricao: 'Pessoas demais ao mesmo tempo na zona',
  ingles: { titulo: 'Crowd', descricao: 'Too many people in the zone at the same time' },
  assunto: { portugues: 'aglomeração', ingles: 'crowd' },
  pergunta: 'Há ao mesmo tempo pelo menos tantas pessoas quanto o limiar min_pessoas dos dados?',
  gravidade: 'media',
  classeHomeAssistant: 'occupancy',
  geometria: 'zona',
  modelo: 'objetos',
  rotulos: ['person'],
  limiares: {
    ...comuns(0.4, 5, 120, 0.001),
    min_pessoas: {
      padrao: 5,
      minimo: 2,
      maximo: 1000,
      unidade: 'pessoas',
      descricao: 'Quantidade de pessoas que dispara',
    },
  },
  detalhes: { pessoas },
} as const satisfies Ia
