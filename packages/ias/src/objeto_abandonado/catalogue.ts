import { comuns, type Ia, segundos } from '../catalogue-entry.ts'
import { duracaoS } from '../details.ts'

export const catalogo = {
  nome: 'objeto_abandonado',
  ordem: 90,
  titulo: 'Objeto abandonado',
  descricao: 'Bolsa, mochila ou mala parada sem dono por perto',
  ingles: { titulo: 'Abandoned object', descricao: 'Bag, backpack or suitcase that stands without an owner nearby' },
  assunto: { portugues: 'objeto abandonado', ingles: 'abandoned object' },
  pergunta: 'Há uma bolsa, mochila ou mala na caixa marcada, sem dono ao lado?',
  gravidade: 'media',
  geometria: 'zona',
  modelo: 'objetos',
  rotulos: ['backpack', 'handbag', 'suitcase'],
  limiares: {
    ...comuns(0.4, 10, 300, 0.0005),
    permanencia_s: segundos(60, 86_400, 'Tempo parado até disparar'),
  },
  detalhes: { duracao_s: duracaoS },
} as const satisfies Ia
