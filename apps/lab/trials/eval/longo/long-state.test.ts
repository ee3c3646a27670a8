import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'
import { longTables } from './long-report.ts'
import { openState, type SegmentRow, saveSegment } from './long-state.ts'

const row = (segmento: number, more: Partial<SegmentRow> = {}): SegmentRow => ({
  v: 1,
  perfil: 'parado',
  segmento,
  cena: 'corredor',
  duracao_s: 600,
  real_s: 120,
  cpu_s: 6,
  relogio_s: 60,
  inferencias: 20,
  julgado_s: { invasao: 600, fogo: 0 },
  falsos: [],
  refutados: {},
  eventos: 0,
  ...more,
})
const falso = {
  ia: 'invasao' as const,
  em_s: 3,
  confianca: 0.5,
  motivo: 'x',
  rotulos: ['person'],
  caixas: [{ x: 0 }],
  clima: null,
  imagem: 'a',
}

it('continues after a kill in the middle of a line, and refuses the segments of other models', async () => {
  const folder = join(temporaryFolder('vigia-longo-'), 'estado')
  expect(await openState(folder, 'a\n')).toEqual([])
  await saveSegment(folder, row(3, { falsos: [falso] }))
  await appendFile(join(folder, 'segmentos.jsonl'), '\n{"v":1,"perfil":"par')
  await saveSegment(folder, row(4))
  expect(await openState(folder, 'a\n')).toEqual([row(3, { falsos: [falso] }), row(4)])
  await expect(openState(folder, 'b\n')).rejects.toMatchObject({ code: 'conflito' })
  expect(await readFile(join(folder, 'modelos.txt'), 'utf8')).toBe('a\n')
  await rm(folder, { recursive: true })
})

it('reports rates with their limit, distinct real minutes once, and the warning', () => {
  const rows = Array.from({ length: 12 }, (_, index) => row(index, { falsos: index === 0 ? [falso] : [] }))
  const [table] = longTables(rows, 24)
  // One event in 2 h; after one event at most 4.744 are expected.
  expect(table?.linhas).toEqual([
    ['invasao', '2,0', '1', '12,00', '56,93', '0'],
    ['fogo', '–', '–', '–', '–', '0'],
    ['soma das IAs', '2,0', '1', '12,00', '56,93', '0'],
  ])
  expect(table?.nota).toContain('Prontas: 2,0 de 24,0 h')
  expect(table?.nota).toContain('2,0 minutos reais distintos')
  expect(table?.nota).toContain('10,0 vezes o tempo real')
  expect(table?.nota).toContain('não provam uma taxa')
})
