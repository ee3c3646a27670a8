import { nouns } from '../nouns/nouns.ts'
import { type Chapter, chapters } from './chapters.ts'

/** Segments of paths that belong to no noun, in the chapter of the service. */
const ofService = ['healthz', 'readyz', 'relogio', 'openapi.json', 'docs', 'replicas']

const chapterOf = new Map<string, Chapter>([
  ...ofService.map((segment) => [segment, 'Serviço'] as const),
  ...nouns.flatMap(({ chapter, segments = [] }) =>
    chapter === undefined ? [] : segments.map((segment) => [segment, chapter] as const),
  ),
])

/** @throws Error for a path without a chapter */
export function tagOf(path: string): string {
  const [segment = ''] = path
    .replace(/^\/api\/v1\//, '')
    .replace(/^\//, '')
    .split('/')
  const chapter = chapterOf.get(segment)
  if (!chapter) throw new Error(`${path}: no noun declares the segment ${segment} (noun.ts)`)
  return chapter
}

export const tagList = Object.entries(chapters).map(([name, description]) => ({ name, description }))
