import { writeFile } from 'node:fs/promises'
import { VigiaError } from '@vigia/contracts/errors'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { BoundResult } from '../bound-result.ts'
import { type DataSet, findDataSet } from '../data-set.ts'
import { machineName } from '../../../src/machine.ts'
import { writePage } from '../page.ts'
import { createProgress } from '../../../src/progress.ts'
import { toMarkdown, toText } from '@vigia/testing/table'
import { readCampus } from './campus.ts'
import { judgeCampus, judgeStills } from './collect.ts'
import { createVerifierBench } from './judge-candidates.ts'
import type { Outcome } from './outcome.ts'
import { type GroupSummary, summarize } from './summary.ts'
import { judgeVerifier } from './verifier-bounds.ts'
import { verifierTables } from './verifier-tables.ts'

interface VerifierOptions {
  readonly dataDir: string
  /** `videos`: only the campus; `imagens`: only the labelled pictures. */
  readonly only: 'videos' | 'imagens' | null
  /** As in EvaluateOptions. */
  readonly json: string | null
  readonly markdown: string | null
  /** File of the models' results (score-store.ts); null: none. */
  readonly pontuacoes: string | null
}

interface VerifierResult {
  readonly data: string
  readonly maquina: string
  readonly ok: boolean
  readonly notas: readonly string[]
  readonly limites: readonly BoundResult[]
  readonly grupos: readonly GroupSummary[]
  readonly candidatos: readonly Outcome[]
}

/** Measures the verifier on labelled candidates of the first model. Returns the exit code. */
export async function evaluateVerifier(options: VerifierOptions): Promise<number> {
  const { dataDir, only, json, markdown, pontuacoes } = options
  const bench = await createVerifierBench(pontuacoes)
  const progress = createProgress()
  try {
    const { sets, notes } = only === 'videos' ? { sets: [], notes: [] } : await labelledSets(dataDir)
    // The campus takes about three quarters of the time.
    const part = only === null ? 0.75 : only === 'videos' ? 1 : 0
    const campus =
      only === 'imagens'
        ? []
        : await judgeCampus(bench, await readCampus(), temporaryFolder('vigia-verificador-'), (fraction, title) =>
            progress.at(fraction * part, title),
          )
    const stills = await judgeStills(bench, sets, (fraction, title) => progress.at(part + fraction * (1 - part), title))
    const candidatos = [...campus, ...stills]
    const groups = summarize(candidatos)
    const limites = judgeVerifier(groups)
    const result: VerifierResult = {
      data: new Date().toISOString().slice(0, 10),
      maquina: machineName(),
      ok: limites.every(({ ok }) => ok),
      notas: notes,
      limites,
      grupos: groups,
      candidatos,
    }
    progress.clear()
    await report(result, json, markdown)
    return result.ok ? 0 : 1
  } finally {
    await bench.close()
  }
}

/** Without the folder of pictures only the campus is measured. */
async function labelledSets(dataDir: string): Promise<Pick<DataSet, 'sets'> & { notes: readonly string[] }> {
  try {
    const { sets, notes } = await findDataSet(dataDir, false)
    return { sets, notes }
  } catch (error) {
    if (!(error instanceof VigiaError) || error.code !== 'nao_encontrado') throw error
    const note = `${error.detalhe} Só as imagens do campus foram medidas.`
    process.stderr.write(`${note}\n`)
    return { sets: [], notes: [note] }
  }
}

async function report(result: VerifierResult, json: string | null, markdown: string | null): Promise<void> {
  const tables = verifierTables(result)
  const texts = { json: `${JSON.stringify(result)}\n`, markdown: `${tables.map(toMarkdown).join('\n\n')}\n` }
  if (json !== null && json !== '-') await writeFile(json, texts.json)
  if (markdown !== null && markdown !== '-') await writePage(markdown, texts.markdown, 'verificador')
  if (json === '-') process.stdout.write(texts.json)
  else if (markdown === '-') process.stdout.write(texts.markdown)
  else process.stdout.write(`${[...tables.map(toText), ...result.notas].join('\n\n')}\n`)
}
