import type { SameTexts } from './shape.ts'

/** English words for the measurements of the IAs. */
export const medido: SameTexts<typeof import('./pt-br-medidos.ts')['medido']> = {
  direcao: {
    termo: 'Direction',
    valor: { ab: 'From the left to the right of the arrow', ba: 'From the right to the left of the arrow' },
  },
  faltam: { termo: 'Missing', valor: { capacete: 'hard hat', colete: 'vest' } },
  cabeca: { termo: 'Head', valor: { descoberta: 'bare', bone: 'with a cap, hat or hood' } },
  problema: {
    termo: 'Picture',
    valor: {
      coberta: 'Camera covered',
      desfocada: 'Out of focus',
      ofuscada: 'Blinded by strong light',
      desviada: 'Camera turned away',
      congelada: 'Picture frozen',
      preta: 'Picture black',
    },
  },
  pessoas: { termo: 'People', valor: 'numero' },
  duracao_s: { termo: 'Had lasted', valor: 'duracao' },
}
