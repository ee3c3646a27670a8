import { z } from 'zod'
import { comuns, type Ia, sim } from '../catalogue-entry.ts'

/** The protective items that can be missing on a person. */
export const itensEpi = ['capacete', 'colete'] as const
export type ItemEpi = (typeof itensEpi)[number]

export const catalogo = {
  nome: 'epi',
  ordem: 50,
  titulo: 'EPI',
  palavras: 'epis?',
  descricao: 'Pessoa sem capacete ou colete na área de trabalho',
  ingles: { titulo: 'Protective equipment', descricao: 'Person without hard hat or vest in the work area' },
  assunto: { portugues: 'falta de EPI', ingles: 'missing protective equipment' },
  pergunta: 'A pessoa na caixa marcada está sem o equipamento de proteção que o rótulo diz que falta?',
  gravidade: 'media',
  geometria: 'zona',
  modelo: 'epi',
  // A head of about 20 px: apps/model-tools/training/README.md, table by size.
  pessoaPx: 160,
  rotulos: ['no_hardhat', 'no_vest'],
  limiares: {
    ...comuns(0.5, 5, 60, 0.001),
    exigir_capacete: sim('Alerta quando falta o capacete'),
    exigir_colete: sim('Alerta quando falta o colete'),
  },
  detalhes: {
    /** The missing items. */
    faltam: z.array(z.enum(itensEpi)).max(2).optional(),
    /** Cover of a head without hard hat. */
    cabeca: z.enum(['descoberta', 'bone']).optional(),
  },
} as const satisfies Ia
