import { comuns, type Ia, segundos } from '../catalogue-entry.ts'
import { duracaoS } from '../details.ts'

export const catalogo = {
  nome: 'permanencia',
  ordem: 30,
  titulo: 'Permanência',
  palavras: 'permanencias?',
  descricao: 'Pessoa que fica na zona além do tempo permitido',
  ingles: { titulo: 'Loitering', descricao: 'Person who stays in the zone longer than allowed' },
  pergunta: 'Há uma pessoa de verdade na caixa marcada, mesmo que só em parte visível?',
  gravidade: 'media',
  classeHomeAssistant: 'occupancy',
  marcas: 'tempo',
  geometria: 'zona',
  modelo: 'objetos',
  rotulos: ['person'],
  limiares: {
    ...comuns(0.45, 3, 60, 0.0015),
    permanencia_s: segundos(30, 86_400, 'Tempo na zona até disparar'),
  },
  detalhes: { duracao_s: duracaoS },
} as const satisfies Ia
