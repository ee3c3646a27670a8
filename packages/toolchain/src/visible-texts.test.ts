import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, it } from 'vitest'

const src = fileURLToPath(new URL('../../../apps/dashboard/src/', import.meta.url))
/** Attributes that a person sees or hears. */
const SPOKEN = ['alt', 'aria-label', 'aria-description', 'description', 'label', 'placeholder', 'title']
/** A proper name, examples and commands: the same in every language. */
const SAME_EVERYWHERE = [
  'Vigia',
  '{base}/canal{channel}',
  '192.168.0.20',
  'sudo firmware-images/debian/install-edge.sh --central',
  'Authorization: Bearer',
]

/** Texts in the JSX of a file that no language file contains. */
function literals(file: string, code: string): string[] {
  const found: string[] = []
  const add = (text: string) => {
    const trimmed = text.trim()
    if (/\p{L}/u.test(trimmed) && !SAME_EVERYWHERE.includes(trimmed)) found.push(`${file}: ${trimmed}`)
  }
  new Visitor({
    JSXText: ({ value }) => add(value),
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && SPOKEN.includes(name.name) && value?.type === 'Literal')
        add(String(value.value))
    },
  }).visit(parseSync(file, code).program)
  return found
}

it('finds a literal text and a literal label', () => {
  const code = '<p aria-label="Fechar">Olá <b>{nome}</b> · 3</p>'
  expect(literals('x.tsx', code)).toEqual(['x.tsx: Fechar', 'x.tsx: Olá'])
})

it('every visible text of the dashboard is in its language files', () => {
  const files = globSync('**/*.tsx', { cwd: src })
  expect(files.length).toBeGreaterThan(50)
  expect(files.flatMap((file) => literals(file, readFileSync(`${src}${file}`, 'utf8')))).toEqual([])
})
