import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const CODE = /\.(?:ts|tsx|mjs)$/
const DOCUMENT = /\.md$/

export type Language = 'code' | 'document' | 'portuguese'

/** Documents for users are Portuguese; null: the file holds no prose. */
export function languageOf(file: string): Language | null {
  if (CODE.test(file)) return 'code'
  if (!DOCUMENT.test(file)) return null
  return file.startsWith('docs/pt/') || file.endsWith('.pt.md') ? 'portuguese' : 'document'
}

/** Files with prose that git knows or does not ignore, sorted. */
export const proseFiles = (root: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => languageOf(file) !== null && existsSync(join(root, file)))
    .sort()

/**
 * The workspace that a file belongs to: `packages/rules`, `apps/edge:capture`, `apps/cloud:cameras` (a feature),
 * `docs`, `deploy`. Files directly under `src` of an app, or beside it, are the part `src`.
 */
export function workspaceOf(file: string): string {
  const [top, name, src, folder, feature, ...rest] = file.split('/')
  if (top === 'packages') return `packages/${name}`
  if (top !== 'apps') return file.startsWith('docs/') || !file.includes('/') ? 'docs' : (top ?? '')
  if (src !== 'src' || feature === undefined) return `apps/${name}:src`
  return `apps/${name}:${folder === 'features' && rest.length > 0 ? feature : folder}`
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
