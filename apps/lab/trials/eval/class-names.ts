import type { TarefaModelo } from '@vigia/contracts/ias'

/** A class of the product's models: the task of the model and its label. */
export interface ProductClass {
  readonly tarefa: Exclude<TarefaModelo, 'placas'>
  readonly rotulo: string
}

/** Names of public data sets for the product's `rotulo`; compared without case, blanks, - and _. */
const synonyms: readonly (ProductClass & { readonly names: readonly string[] })[] = [
  { tarefa: 'epi', rotulo: 'hardhat', names: ['hardhat', 'helmet', 'safetyhelmet', 'capacete', 'comcapacete'] },
  { tarefa: 'epi', rotulo: 'no_hardhat', names: ['nohardhat', 'nohelmet', 'withouthelmet', 'semcapacete'] },
  { tarefa: 'epi', rotulo: 'vest', names: ['vest', 'safetyvest', 'colete', 'comcolete'] },
  { tarefa: 'epi', rotulo: 'no_vest', names: ['novest', 'nosafetyvest', 'withoutvest', 'semcolete'] },
  { tarefa: 'fogo', rotulo: 'fire', names: ['fire', 'flame', 'flames', 'fogo', 'chama', 'chamas'] },
  { tarefa: 'fogo', rotulo: 'smoke', names: ['smoke', 'fumaca', 'fumaça'] },
  { tarefa: 'objetos', rotulo: 'person', names: ['person', 'people', 'pedestrian', 'human', 'pessoa'] },
  { tarefa: 'objetos', rotulo: 'car', names: ['car', 'carro'] },
  { tarefa: 'objetos', rotulo: 'truck', names: ['truck', 'caminhao', 'caminhão'] },
  { tarefa: 'objetos', rotulo: 'bus', names: ['bus', 'onibus', 'ônibus'] },
  { tarefa: 'objetos', rotulo: 'motorcycle', names: ['motorcycle', 'motorbike', 'moto', 'motocicleta'] },
  { tarefa: 'objetos', rotulo: 'bicycle', names: ['bicycle', 'bike', 'bicicleta'] },
]

/** null: no model of the product detects this class. */
export function productClass(name: string): ProductClass | null {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '')
  const found = synonyms.find(({ names }) => names.includes(plain))
  return found ? { tarefa: found.tarefa, rotulo: found.rotulo } : null
}

/** The lines of a `classes.txt`. */
export const parseClassesTxt = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * Reads `names` of a YOLO `data.yaml` in its three forms: `['a', 'b']`, a list of `- a`, a map of `0: a`. null: no such
 * key. Other YAML is not supported.
 */
export function parseDataYaml(text: string): string[] | null {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/\s+#.*$/, ''))
  const start = lines.findIndex((line) => /^names\s*:/.test(line))
  if (start < 0) return null
  const inline = lines[start]?.replace(/^names\s*:/, '').trim() ?? ''
  if (inline.startsWith('['))
    return inline
      .replace(/^\[|\]$/g, '')
      .split(',')
      .map(unquoted)
  const names: string[] = []
  for (const line of lines.slice(start + 1)) {
    if (line.trim() === '') continue
    const entry = /^\s*-\s*(.+)$/.exec(line) ?? /^\s+\d+\s*:\s*(.+)$/.exec(line)
    if (!entry) break
    names.push(unquoted(entry[1] ?? ''))
  }
  return names.length > 0 ? names : null
}

const unquoted = (text: string): string => text.trim().replace(/^(['"])(.*)\1$/, '$2')
