import { expect, it } from 'vitest'
import { WORKS } from './cells.ts'
import { toPage } from './page.ts'

const works = { stream: WORKS, discovery: WORKS, picture: WORKS, clip: WORKS, live: WORKS, archive: WORKS }
const row = (quirk: string, cells: object) => ({
  quirk,
  refusals: 0,
  watchedMs: 1,
  problems: [],
  cells: { ...works, ...cells },
})

it('has the quirks that work in one line, and numbers the sentences of the others', () => {
  const stream = 'O vídeo parou. Confira.'
  const live = `A câmera não está online: não há imagem para mostrar. ${stream}`
  const rows = [row('macro', {}), row('trava', { stream, live, clip: null, discovery: 'vazia' })]
  expect(toPage(rows)).toBe(`| quirk | stream | discovery | picture | clip | live | archive | refused |
| --- | --- | --- | --- | --- | --- | --- | ---: |
| trava | (1) | vazia | works | NEITHER | offline | works | 0 |
| 1 others | works | works | works | works | works | works | 0 |

1. *O vídeo parou. Confira.*`)
})
