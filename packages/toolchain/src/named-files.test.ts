import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Comments by the end of a file's name. In other files the whole text counts. */
const COMMENTS = [
  [/\.(?:ts|tsx|mjs|jsonc)$/, /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm],
  [/\.sh$/, /^\s*#.*$/gm],
] as const
const NAMED = /(?<![\w./@-])[\w./<>*{}…-]+/g
const FILE = /^[\w-][\w./-]*\.(?:ts|tsx|mjs|py|sh|md|sql|grit)$/
const PATH = /^(?:apps|packages|docs|deploy|firmware-images)\/[\w./-]+$/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))

/** Every folder, and every end of a path, also without `src`: a comment may say `contracts/errors.ts`. */
const known = new Set(
  files.flatMap((file) => {
    const ends = (path: string) => path.split('/').map((_, index, parts) => parts.slice(index).join('/'))
    const folders = file.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))
    return [...ends(file), ...ends(file.replace('/src/', '/')), ...folders]
  }),
)

const proseOf = (file: string): string => {
  const text = readFileSync(join(root, file), 'utf8')
  const [, comment] = COMMENTS.find(([end]) => end.test(file)) ?? []
  return comment ? (text.match(comment) ?? []).join('\n') : text
}

const missingIn = (text: string): string[] =>
  [...text.matchAll(NAMED)]
    .map(([named]) => named.replace(/[./]+$/, ''))
    .filter((named) => (FILE.test(named) || PATH.test(named)) && !known.has(named))

it('comments and documents name files and folders that exist', () => {
  // The changelog names former files.
  const read = files.filter((file) => /\.(?:ts|tsx|mjs|jsonc|py|sh|md)$/.test(file) && file !== 'CHANGELOG.md')
  expect(read.length).toBeGreaterThan(1000)
  expect(read.flatMap((file) => missingIn(proseOf(file)).map((named) => `${file}: ${named}`))).toEqual([])
})

it('a former name is reported, a pattern is not', () => {
  expect(missingIn('See `src/second-opinion.ts`, packages/rules, `audit-<noun>.ts` and `*.test.ts`.')).toEqual([
    'src/second-opinion.ts',
    'packages/rules',
  ])
})
