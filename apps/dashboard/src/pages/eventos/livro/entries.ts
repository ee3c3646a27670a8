import type { Livro, PassagemDeTurno } from '@vigia/contracts/livro'

type Resposta = Livro['respostas'][number]

/** One line of the book. */
export type Entrada =
  | { readonly tipo: 'resposta'; readonly key: string; readonly em: string; readonly resposta: Resposta }
  | { readonly tipo: 'passagem'; readonly key: string; readonly em: string; readonly passagem: PassagemDeTurno }

/** Answers and hand-overs in one order, oldest first, as a book is read. */
export function entriesOf({ respostas, passagens }: Pick<Livro, 'respostas' | 'passagens'>): readonly Entrada[] {
  const all: Entrada[] = [
    // The API has the newest first, also of those at the same moment.
    ...respostas.toReversed().map((resposta) => ({
      tipo: 'resposta' as const,
      key: `resposta ${resposta.id}`,
      em: resposta.atendimento.atendido_em,
      resposta,
    })),
    ...passagens.toReversed().map((passagem) => ({
      tipo: 'passagem' as const,
      key: `passagem ${passagem.id}`,
      em: passagem.em,
      passagem,
    })),
  ]
  return all.sort((a, b) => Date.parse(a.em) - Date.parse(b.em))
}
