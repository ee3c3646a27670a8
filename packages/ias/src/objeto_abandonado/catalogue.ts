import { z } from 'zod'
import { comuns, type Ia, nao, segundos } from '../catalogue-entry.ts'
import { duracaoS } from '../details.ts'

export const catalogo = {
  nome: 'objeto_abandonado',
  ordem: 90,
  titulo: 'Objeto abandonado',
  palavras: 'objetos? abandonados?|abandono de objeto',
  descricao: 'Mala, bolsa, caixa ou outro objeto deixado, sem dono por perto',
  ingles: { titulo: 'Abandoned object', descricao: 'Suitcase, bag, box or other object left without an owner nearby' },
  assunto: { portugues: 'objeto abandonado', ingles: 'abandoned object' },
  pergunta:
    'Há um objeto deixado (mala, bolsa, caixa, pacote) na caixa marcada, sem dono ao lado? ' +
    'Se a caixa é o lugar de um objeto retirado, não dá para ver.',
  gravidade: 'media',
  geometria: 'zona',
  modelo: 'objetos',
  rotulos: ['backpack', 'handbag', 'suitcase'],
  limiares: {
    ...comuns(0.4, 10, 300, 0.0005),
    permanencia_s: segundos(60, 86_400, 'Tempo parado até disparar'),
    retirados: nao('Gera também um evento quando um objeto do cenário é retirado'),
  },
  detalhes: {
    duracao_s: duracaoS,
    /** Box of the nearest person when the object appeared, in fractions of the frame. */
    dono: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }).optional(),
  },
} as const satisfies Ia
