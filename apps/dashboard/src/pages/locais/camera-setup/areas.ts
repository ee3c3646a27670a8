/** A page of an area, which only an administrador opens if `writes`. */
interface Part {
  readonly to: string
  readonly text: string
  readonly writes: boolean
}

interface Area extends Part {
  /** Its pages, the first one at its own address; empty: one page. */
  readonly parts: readonly Part[]
}

const part = <To extends string, Text extends string>(to: To, text: Text, writes = false) =>
  ({ to, text, writes }) as const

/** The five areas of the page of a camera, with their addresses. */
export const areas = [
  { ...part('/cameras/$id', 'aoVivo'), parts: [] },
  {
    ...part('/cameras/$id/eventos', 'eventosGravacoes'),
    parts: [part('/cameras/$id/eventos', 'eventos'), part('/cameras/$id/eventos/gravacoes', 'gravacoes')],
  },
  {
    ...part('/cameras/$id/o-que-vigia', 'vigia', true),
    parts: [
      part('/cameras/$id/o-que-vigia', 'resumo', true),
      part('/cameras/$id/o-que-vigia/zonas', 'zonas', true),
      part('/cameras/$id/o-que-vigia/horarios', 'horarios', true),
      part('/cameras/$id/o-que-vigia/sensibilidade', 'sensibilidade', true),
      part('/cameras/$id/o-que-vigia/placa', 'placa', true),
      part('/cameras/$id/o-que-vigia/instrucoes', 'instrucoes', true),
    ],
  },
  {
    ...part('/cameras/$id/prova-e-saude', 'provaSaude'),
    parts: [part('/cameras/$id/prova-e-saude', 'saude'), part('/cameras/$id/prova-e-saude/prova', 'prova', true)],
  },
  { ...part('/cameras/$id/privacidade-e-som', 'privacidade'), parts: [] },
] as const satisfies readonly Area[]
