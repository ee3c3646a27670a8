import { z } from 'zod'
import { comuns, type Ia, segundos } from '../catalogue-entry.ts'
import { duracaoS } from '../details.ts'
import { problemasImagem } from '../tasks/imagem.ts'

export const catalogo = {
  nome: 'camera_obstruida',
  ordem: 100,
  titulo: 'Câmera obstruída',
  palavras: 'cameras? (?:obstruida|coberta|tapada)s?|obstrucao (?:de|da) camera',
  descricao: 'Imagem coberta, ofuscada, desviada ou congelada',
  ingles: { titulo: 'Camera obstructed', descricao: 'Picture covered, blinded, turned away or frozen' },
  assunto: { portugues: 'obstrução da câmera', ingles: 'camera obstruction' },
  pergunta: 'A câmera deixou de ver a cena: imagem preta, coberta, ofuscada, borrada ou virada para outro lado?',
  gravidade: 'alta',
  classeHomeAssistant: 'tamper',
  rompeSilencio: true,
  geometria: 'nenhuma',
  modelo: null,
  rotulos: [],
  limiares: {
    ...comuns(0.6, 10, 300, 0),
    permanencia_s: segundos(10, 3600, 'Tempo obstruída até disparar'),
  },
  detalhes: {
    /** The detected problem of the picture. */
    problema: z.enum(problemasImagem).optional(),
    duracao_s: duracaoS,
  },
} as const satisfies Ia
