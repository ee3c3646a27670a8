import { z } from 'zod'
import { comuns, type Ia, VEICULOS } from '../catalogue-entry.ts'

export const catalogo = {
  nome: 'cruzamento_linha',
  ordem: 20,
  titulo: 'Cruzamento de linha',
  descricao: 'Pessoa ou veículo que cruza a linha virtual',
  gravidade: 'alta',
  geometria: 'linha',
  modelo: 'objetos',
  rotulos: ['person', ...VEICULOS, 'bicycle'],
  limiares: {
    // Who crosses is gone when a longer cooldown ends: the second car behind the first would be told to nobody.
    ...comuns(0.45, 3, 1, 0.0015),
    direcao: {
      padrao: 0,
      minimo: 0,
      maximo: 2,
      unidade: 'codigo',
      descricao: 'Sentido que dispara: 0 ambos, 1 da esquerda para a direita da seta (ab), 2 o contrário (ba)',
    },
  },
  detalhes: {
    /** Which way, as `linha` is drawn. */
    direcao: z.enum(['ab', 'ba']).optional(),
  },
} as const satisfies Ia
