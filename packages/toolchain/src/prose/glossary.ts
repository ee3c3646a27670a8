import type { Name } from './code.ts'
import type { Violation } from './rules.ts'

/**
 * Spellings that the glossary of docs/architecture.md rejects, with the word to use in their place. `words` are
 * compared with the words of an identifier or of a file name, `exact` with the whole name.
 */
interface Entry {
  readonly on: 'name' | 'type' | 'file'
  readonly words?: RegExp
  readonly exact?: RegExp
  /** Files to which the entry applies; default: all. */
  readonly in?: RegExp
  /** Accepted names, in which the word has another meaning. */
  readonly except?: RegExp
  readonly instead: string
}

const PRODUCT = /^(?:apps\/(?:cloud|dashboard)|packages\/contracts)\/src\//
const FEATURES = /^apps\/(?:cloud\/src\/domains|dashboard\/src)\//
const DASHBOARD = /^apps\/dashboard\/src\/(?!texts\/)/

/** Names of the Web API and of the simulator (packages/testing). */
const RECORDER_NAMES = /^MediaRecorder|^startRecorder$|^Recorder(?:Counts|Fault|Options|Process)$/

const entries: readonly Entry[] = [
  { on: 'name', exact: /^(?:agora|agoraMs|nowMs|epochNowMs)$/, instead: '`now` (epoch ms)' },
  { on: 'name', words: /^(?:paces?|paced|pacing)$/, instead: '`rate` (per time), `turns` (order) or `awaited`' },
  { on: 'name', words: /^(?:permits?|permitted)$/, instead: '`slot` (at the same time) or `allowed`' },
  { on: 'name', words: /^(?:sights?|sightings?)$/, instead: '`detection`, `evidence` or `runner` (of models)' },
  { on: 'name', words: /^trx$/, instead: '`tx`' },
  { on: 'name', words: /^(?:told)$/, instead: '`alerted` or `notified`' },
  { on: 'name', words: /^places$/, instead: 'the thing itself: `slots`, `positions`, `hosts`' },
  { on: 'name', words: /^(?:looks?)$/, except: /[lL]ookUp/, instead: '`inference`, `inspect` or `check`' },
  { on: 'name', words: /^(?:patience|impatient)$/, instead: 'the limit: `timeoutMs`' },
  { on: 'name', words: /^(?:wish|wishes|wished)$/, instead: '`request` or `setting`' },
  {
    on: 'name',
    words: /^(?:house|rooms?|doors?|eyes?|whoever)$/,
    instead: 'the technical term: `space`, `entry`, `reader`',
  },
  { on: 'name', exact: /^(?:Watch|create\w*Watch)$/, instead: '`Trigger`, `…Stage` or `…Monitor`' },
  { on: 'type', words: /^Watch$/i, instead: '`Trigger`, `…Stage` or `…Monitor`' },
  { on: 'name', words: /^recorders?$/i, in: PRODUCT, except: RECORDER_NAMES, instead: '`gravador`' },
  { on: 'name', words: /^outages?$/i, in: PRODUCT, instead: '`queda`' },
  { on: 'type', words: /^gaps?$/i, in: PRODUCT, instead: '`lacuna`' },
  { on: 'type', words: /^events?$/i, in: PRODUCT, instead: '`evento`' },
  { on: 'type', words: /^alerts?$/i, in: FEATURES, instead: '`alerta`' },
  { on: 'name', words: /^box(?:es)?$/i, in: DASHBOARD, except: /^Box(?:Props)?$/, instead: '`edge` (site agent)' },
  { on: 'name', exact: /^(?:\w+Caixas?|[cC]aixas?[A-Z]\w*)$/, in: DASHBOARD, instead: '`edge` (site agent)' },
  { on: 'file', exact: /^record-(?!id)/, in: /^apps\/cloud\/src\/domains\//, instead: '`audit-….ts`' },
  { on: 'file', words: /^recorders?$/, in: FEATURES, instead: '`gravador`' },
  { on: 'file', words: /^outages?$/, in: FEATURES, instead: '`queda`' },
  { on: 'file', words: /^gaps?$/, in: FEATURES, instead: '`lacuna`' },
  { on: 'file', words: /^events?$/, in: FEATURES, instead: '`evento`' },
  { on: 'file', words: /^alerts?$/, in: FEATURES, instead: '`alerta`' },
  { on: 'file', words: /^keys?$/, in: /\/chaves\//, instead: '`chave`' },
  { on: 'file', words: /^(?:box|boxes|caixas?)$/, in: /^apps\/dashboard\//, instead: '`edge` (site agent)' },
  {
    on: 'file',
    words: /^(?:places|looks?|told|tell|wish|patience|eyes|room|house|doors?|paces?|permits?|sights?|sightings?)$/,
    instead: 'the technical term',
  },
  { on: 'file', words: /^watch$/, instead: '`trigger`, `…-stage` or `…-monitor`' },
]

const wordsOf = (name: string): string[] => name.match(/[A-Z]?[\p{Ll}\d]+|\p{Lu}+(?!\p{Ll})/gu) ?? []

function offending({ words, exact, except }: Entry, name: string): boolean {
  if (except?.test(name)) return false
  return exact?.test(name) || wordsOf(name).some((word) => words?.test(word) || words?.test(word.toLowerCase()))
}

export function checkNames(file: string, names: readonly Name[]): Violation[] {
  const here = entries.filter((entry) => entry.on !== 'file' && (entry.in?.test(file) ?? true))
  return names.flatMap(({ name, line, isType }) => {
    const entry = here.find((one) => (one.on === 'name' || isType) && offending(one, name))
    return entry ? [{ line, message: `name "${name}": say ${entry.instead}` }] : []
  })
}

/** The rules for file names also apply to the names of folders. */
export function checkFileName(file: string): Violation[] {
  const names = file.replace(/\.\w+$/, '').split('/')
  const entry = entries.find(
    (one) => one.on === 'file' && (one.in?.test(file) ?? true) && names.some((name) => offending(one, name)),
  )
  return entry ? [{ line: 1, message: `file name: say ${entry.instead}` }] : []
}
