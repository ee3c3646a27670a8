import { expect, it } from 'vitest'
import { refetchMs } from './refetch-ms.ts'

const ocorrido_em = '2026-11-21T02:30:00.000Z'
const now = Date.parse(ocorrido_em) + 60_000

it.each([
  ['a_caminho', 3_000, 3_000],
  ['sem_noticia', 15_000, false],
  ['na_caixa', 15_000, false],
  ['nunca', false, false],
  ['guardado', false, false],
] as const)('%s: fetched again after %s ms, and after %s a day later', (clip_estado, soon, later) => {
  const evento = { clip_estado, ocorrido_em }
  expect([refetchMs(evento, now), refetchMs(evento, now + 86_400_000)]).toEqual([soon, later])
})
