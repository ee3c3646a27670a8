import { z } from 'zod'
import { comuns, type Ia, segundos, VEICULOS } from '../catalogue-entry.ts'

export const catalogo = {
  nome: 'cruzamento_linha',
  ordem: 20,
  titulo: 'Cruzamento de linha',
  palavras: 'cruzamentos? (?:de|da) linha|cruz(?:ou|aram) a linha',
  descricao: 'Pessoa ou veículo que cruza a linha virtual',
  ingles: { titulo: 'Line crossing', descricao: 'Person or vehicle that crosses the virtual line' },
  assunto: { portugues: 'pessoa ou veículo', ingles: 'person or vehicle' },
  pergunta: 'Há uma pessoa ou um veículo de verdade na caixa marcada?',
  gravidade: 'alta',
  marcas: 'exatas',
  classeHomeAssistant: 'motion',
  geometria: 'linha',
  modelo: 'objetos',
  rotulos: ['person', ...VEICULOS, 'bicycle'],
  limiares: {
    ...comuns(0.45, 3, 1, 0.0015),
    resfriamento_s: segundos(1, 86_400, 'Tempo mínimo entre dois eventos do mesmo objeto no mesmo sentido'),
    direcao: {
      padrao: 0,
      minimo: 0,
      maximo: 2,
      unidade: 'codigo',
      descricao: 'Sentido que dispara: 0 ambos, 1 da esquerda para a direita da seta (ab), 2 o contrário (ba)',
    },
  },
  detalhes: {
    /** Direction relative to the drawn `linha`. */
    direcao: z.enum(['ab', 'ba']).optional(),
  },
} as const satisfies Ia
