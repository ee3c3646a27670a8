import { type Passage, passagesOf } from './passage.ts'

/**
 * Removes what is no prose, keeping every line where it is: HTML comments and tags, images and the targets of links.
 */
const readable = (source: string): string =>
  source
    .replace(/<!--[\s\S]*?-->/g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-z][^>\n]*>/g, '')

export const passagesOfDocument = (source: string): Passage[] => passagesOf(readable(source).split('\n'), 1, 'document')
