import type { Passage } from './passage.ts'
import { isPortuguese, type Sentence, sentencesOf } from './sentences.ts'

export interface Violation {
  readonly line: number
  readonly message: string
}

const MAX_WORDS = 25
const MAX_COLUMNS = 120

/**
 * Metaphors and personifications that docs/architecture.md ("Language") forbids, each with the technical term in its
 * place. These words are nearly always metaphors here; a text about a building uses "entrance".
 */
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/\bhouses?\b/i, 'name the site, the process or the repository'],
  [/\brooms?\b/i, 'name the folder, or say "space"'],
  [/\bdoors?\b/i, 'name the interface or the entry point; on a picture: "entrance"'],
  [/\bthe way of\b/i, 'say "path" or "flow"'],
  [/\b(?:told|tells?|telling)\b/i, 'say "alert", "notify", "report" or "distinguish"'],
  [/\bwish(?:e[sd]|ing)?\b/i, 'name the setting or the request'],
  [/\b(?:im)?patien(?:ce|t|tly)\b/i, 'name the time limit'],
  [/\beyes?\b/i, 'name the camera, the model or the reader'],
  [/\blook(?:s|ed|ing)? (?:at|into|like|closer|again)\b|\blooks\b(?! up\b)/i, 'say "inspect", "check" or "resemble"'],
  [/\b(?:an?|one|the|each|every|per|first|second|next|last|this|no|of) look\b(?!-?up)/i, 'say "inference" or "check"'],
  [/\b(?:pace[sd]?|pacing)\b/i, 'say "rate", "turn" or "interval"'],
  // The exception stands in the text of the MIT licence.
  [/\bpermit(?:s|ted|ting)?\b(?! persons to whom)/i, 'say "slot" or "allow"'],
  [/\bsight(?:s|ings?)?\b/i, 'say "detection", "evidence" or "view"'],
  [/(?<!decimal )\bplaces\b/i, 'name the positions, the hosts or the call sites'],
  [/\bwhoever\b|^["'(“]*(?:What|Which)ever\b/i, 'name the subject'],
  [/\b(?:to|by|than|as|for|from|with|at) who\b/i, 'name the subject'],
  [/^["'(“]*Least\b/, 'say "Minimum", or name the order'],
  [/^["'(“]*Most (?:\S+ ){0,2}(?:that|which)\b/, 'say "Maximum number of", or write "most of the"'],
  [/^["'(“]*(?:Of|In the order|Since when)\b/, 'begin with the subject: the sentence is a fragment, or inverted'],
  [
    /\b(?:is|are|was|were|be|been) (?:not |never |no longer |only )?(?:waited|looked|cared|hoped) (?:for|on|after)\b/i,
    'name the one that waits or searches, in the active voice',
  ],
  [/^["'(“]*(?:Who|What)\b(?!.*\?$)/, 'begin with the subject: no "Who …" and no "What …"'],
  [
    /[;:] (?:who|what)(?:ever)? (?:is|was|are|were|has|had|does|did|can|it|a|the)\b(?!.*\?)/i,
    'begin the clause with its subject',
  ],
]

function checkSentence({ line, plain, words }: Sentence): Violation[] {
  const found: Violation[] = []
  for (const [pattern, instead] of forbidden) {
    const match = pattern.exec(plain)
    if (match) found.push({ line, message: `"${match[0].trim()}": ${instead}` })
  }
  if (words > MAX_WORDS) found.push({ line, message: `sentence has ${words} words, the limit is ${MAX_WORDS}` })
  return found
}

export const checkPassages = (passages: readonly Passage[]): Violation[] =>
  passages.flatMap(sentencesOf).flatMap((sentence) => (isPortuguese(sentence.plain) ? [] : checkSentence(sentence)))

/** A line without a break point may be longer: an address, a hash, a path. */
export const checkColumns = (source: string): Violation[] =>
  source.split('\n').flatMap((text, index) => {
    const columns = [...text].length
    if (
      columns <= MAX_COLUMNS ||
      text
        .trim()
        .split(/\s+/)
        .some((token) => token.length > 90)
    )
      return []
    return [{ line: index + 1, message: `line has ${columns} columns, the limit is ${MAX_COLUMNS}` }]
  })
