import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const CODE = /\.(?:ts|tsx|mjs)$/
const SCRIPT = /\.(?:sh|py|ya?ml)$/
const STYLE = /\.css$/
const DOCUMENT = /\.md$/

export type Language = 'code' | 'script' | 'style' | 'document' | 'portuguese'

/** Returns the kind of the file: documents for users are Portuguese; null: no prose. */
export function languageOf(file: string): Language | null {
  if (CODE.test(file)) return 'code'
  if (SCRIPT.test(file)) return 'script'
  if (STYLE.test(file)) return 'style'
  if (!DOCUMENT.test(file)) return null
  return file.startsWith('docs/pt/') || file.endsWith('.pt.md') ? 'portuguese' : 'document'
}

/** Returns the files with prose that git tracks or does not ignore, sorted. */
export const proseFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => languageOf(file) !== null && existsSync(join(root, file)))
    .sort()

/**
 * Returns the workspace of a file: `packages/ias`, `apps/edge:capture`, `apps/cloud:cameras` (a feature), `docs`,
 * `deploy`. Files of an app in `src` itself, or outside of `src`, belong to the part `src`.
 */
export function workspaceOf(file: string): string {
  const [top, name, src, folder, part, feature, ...rest] = file.split('/')
  if (top === 'packages') return `packages/${name}`
  if (top !== 'apps') return file.startsWith('docs/') || !file.includes('/') ? 'docs' : (top ?? '')
  if (src !== 'src' || part === undefined) return `apps/${name}:src`
  return `apps/${name}:${folder === 'domains' && rest.length > 0 ? feature : folder}`
}

/** Whether `selection` covers a file: `apps`, `apps/cloud` with all its parts, one workspace, or the file itself. */
export function covers(selection: string, file: string): boolean {
  const workspace = workspaceOf(file)
  return (
    selection === file ||
    selection === workspace ||
    [':', '/'].some((end) => workspace.startsWith(`${selection}${end}`))
  )
}
