import { type Passage, passagesOf } from './passage.ts'

/** Blanks what a command writes between `<!-- x: início -->` and `<!-- x: fim -->`; every line stays where it is. */
export const withoutGenerated = (source: string): string =>
  source.replace(/<!-- (\S+): início -->[\s\S]*?<!-- \1: fim -->/g, (part) => part.replace(/[^\n]/g, ''))

/** Removes HTML comments and tags, images and the targets of links; the line numbers stay the same. */
const readable = (source: string): string =>
  source
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-z][^>\n]*>/g, '')

export const passagesOfDocument = (source: string): Passage[] => passagesOf(readable(source).split('\n'), 1, 'document')
