import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'

/** A way through the dashboard as a guide writes it: *Câmeras → Mudar várias*. */
export interface Way {
  /** `docs/pt/camera.md:65`. */
  readonly place: string
  readonly names: readonly string[]
}

const ARROW = '→'
/** Emphasised in a guide; a paragraph may break its lines inside. */
const EMPHASISED = /(\*{1,2})(?=\S)([^*|]+?→[^*|]+?)\1/g
/** In a text of the product, after a colon, "em" or the beginning: names begin with a capital letter. */
const PLAIN = /(?:^|: |\bem |\bEm )(\p{Lu}[^→:.,]*(?: → \p{Lu}[^→:.,]*)+)/gu
/** Code has arrows of its own. */
const CODE = /```[\s\S]*?```|`[^`\n]*`/g

/** Returns the ways of `text`. Throws at an arrow that belongs to none. */
export function waysOf(file: string, text: string, form: 'guide' | 'text'): Way[] {
  const shown = text.replaceAll(CODE, (code) => code.replaceAll(/[^\n]/g, ' '))
  const found = [...shown.matchAll(form === 'guide' ? EMPHASISED : PLAIN)].map((match) => ({
    place: `${file}:${shown.slice(0, match.index).split('\n').length}`,
    names:
      (form === 'guide' ? match[2] : match[1])?.split(ARROW).map((name) => name.replaceAll(/\s+/g, ' ').trim()) ?? [],
  }))
  const arrows = shown.split(ARROW).length - 1
  const read = found.reduce((sum, { names }) => sum + names.length - 1, 0)
  if (arrows !== read) throw new Error(`${file}: ${arrows} arrows, and ${read} in ways; a guide emphasises each way`)
  return found
}

const TEXTS = 'apps/dashboard/src/texts/pt-BR'

/** Reads the ways of the guides, of both README files and of the texts of the dashboard. */
export function readWays(): Way[] {
  const read = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')
  const inFolder = (folder: string, ending: string) =>
    readdirSync(join(repositoryRoot, folder))
      .filter((name) => name.endsWith(ending))
      .map((name) => `${folder}/${name}`)
  return [
    ...[...inFolder('docs/pt', '.md'), 'README.md', 'README.pt.md'].flatMap((file) =>
      waysOf(file, read(file), 'guide'),
    ),
    ...inFolder(TEXTS, '.json').flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line, index) =>
          waysOf(file, line.replace(/^[^"]*"[^"]*": "/, ''), 'text').map(({ names }) => ({
            place: `${file}:${index + 1}`,
            names,
          })),
        ),
    ),
  ]
}
