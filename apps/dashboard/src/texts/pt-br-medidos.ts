import type { DetalhesIa } from '@vigia/contracts/candidate'

/** Words for the values of an enumeration or of a list, or how a number is written. */
type Valor<T> = T extends readonly (infer Item)[]
  ? Valor<Item>
  : [T] extends [string]
    ? Readonly<Record<T, string>>
    : 'numero' | 'duracao'

/** The path is drawn on the frame; the owner's box is for programs. */
type CampoMedido = Exclude<keyof DetalhesIa, 'trajeto' | 'dono'>
type Medidos = {
  readonly [Campo in CampoMedido]: { termo: string; valor: Valor<NonNullable<DetalhesIa[Campo]>> }
}

/**
 * Measurements of the IAs in the order of the page. The type check requires each field of `detalhes` that an IA in
 * packages/ias declares.
 */
export const medido = {
  direcao: {
    termo: 'Sentido',
    valor: { ab: 'Da esquerda para a direita da seta', ba: 'Da direita para a esquerda da seta' },
  },
  faltam: { termo: 'Falta', valor: { capacete: 'capacete', colete: 'colete' } },
  cabeca: { termo: 'Cabeça', valor: { descoberta: 'descoberta', bone: 'com boné, chapéu ou capuz' } },
  problema: {
    termo: 'Imagem',
    valor: {
      coberta: 'Câmera coberta',
      desfocada: 'Fora de foco',
      ofuscada: 'Ofuscada por luz forte',
      desviada: 'Câmera virada para outro lado',
      congelada: 'Imagem congelada',
      preta: 'Imagem preta',
    },
  },
  pessoas: { termo: 'Pessoas', valor: 'numero' },
  duracao_s: { termo: 'Durava', valor: 'duracao' },
} as const satisfies Medidos
