import { z } from 'zod'

/**
 * Effects of a call that a program has only with the consent of a person. `destroys`: stored data ends, now or earlier
 * than before. `reveals`: somebody sees or hears more. `grants`: somebody gets access, or a protection of access ends.
 */
export const efeitos = ['destroys', 'reveals', 'grants'] as const

export type Efeito = (typeof efeitos)[number]

/** The effects as a person reads them: a list, and a sentence about the consequence. */
export const textoEfeito = {
  destroys: {
    titulo: 'Apagar dados',
    descricao:
      'Apagar eventos, imagens, gravações e câmeras, reduzir o prazo de guarda e liberar o que foi preservado.',
  },
  reveals: {
    titulo: 'Mudar quem vê o quê',
    descricao: 'Tirar ou diminuir máscaras de privacidade, ligar o som e mostrar placas de veículos.',
  },
  grants: {
    titulo: 'Dar acesso',
    descricao:
      'Criar códigos de ativação de caixas, dispensar o segundo fator, ligar a abertura de portões por placa e ' +
      'mandar a senha de um gravador em texto.',
  },
} as const satisfies Record<Efeito, { readonly titulo: string; readonly descricao: string }>

export const efeitosSchema = z
  .array(z.enum(efeitos))
  .describe(
    'O que a pessoa permitiu além do uso comum: `destroys` (apagar dados), `reveals` (mudar quem vê o quê), `grants` ' +
      '(dar acesso). Vazio: nada disso.',
  )
