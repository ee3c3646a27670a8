import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Table, toMarkdown, toText } from '@vigia/testing/table'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'
import { writePage } from './page.ts'

const table: Table = {
  titulo: 'Eventos',
  nota: 'De um vídeo.',
  colunas: ['IA', 'falsos'],
  linhas: [
    ['invasao', '0'],
    ['a|b', '12'],
  ],
}

it('prints a table for a terminal and for a page', () => {
  expect(toText(table)).toBe(
    ['EVENTOS', 'De um vídeo.', 'IA       falsos', '───────  ──────', 'invasao  0', 'a|b      12'].join('\n'),
  )
  expect(toMarkdown(table)).toBe(
    '### Eventos\n\nDe um vídeo.\n\n| IA | falsos |\n| --- | --- |\n| invasao | 0 |\n| a\\|b | 12 |',
  )
})

it('replaces the tables and keeps the rest of the page', async () => {
  const folder = temporaryFolder('vigia-page-')
  const path = join(folder, 'quality.md')
  const page = (tables: string) => `# A\n<!-- medidas: início -->${tables}<!-- medidas: fim -->\n## B\n`
  await writeFile(path, page('\nold\n'))
  await writePage(path, 'new\n')
  expect(await readFile(path, 'utf8')).toBe(page('\n\nnew\n\n'))
  await writePage(path, 'newer\n')
  expect(await readFile(path, 'utf8')).toBe(page('\n\nnewer\n\n'))
  await writePage(join(folder, 'tables.md'), 'alone\n')
  expect(await readFile(join(folder, 'tables.md'), 'utf8')).toBe('alone\n')
  await rm(folder, { recursive: true })
})
