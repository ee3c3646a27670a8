import { VigiaError } from '@vigia/contracts/errors'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { type DataSet, findDataSet } from '../data-set.ts'
import { reportTables } from '../page.ts'
import { readCampus } from './campus.ts'
import { judgeCampus, judgeStills } from './collect.ts'
import { createVerifierBench } from './judge-candidates.ts'
import { summarize } from './summary.ts'
import { judgeVerifier } from './verifier-bounds.ts'
import { verifierTables } from './verifier-tables.ts'

interface VerifierOptions {
  readonly dataDir: string
  /** `videos`: only the campus; `imagens`: only the labelled pictures. */
  readonly only: 'videos' | 'imagens' | null
  /** As in `reportTables`. */
  readonly markdown: string | null
  /** File of the models' results (score-store.ts); null: none. */
  readonly pontuacoes: string | null
}

/** Measures the verifier on labelled candidates of the first model. */
export async function evaluateVerifier(
  { dataDir, only, markdown, pontuacoes }: VerifierOptions,
  { print, progress }: TrialOutput,
): Promise<Result> {
  const bench = await createVerifierBench(pontuacoes)
  try {
    const { sets, notes } = only === 'videos' ? { sets: [], notes: [] } : await labelledSets(dataDir, print)
    // The campus takes about three quarters of the time.
    const part = only === null ? 0.75 : only === 'videos' ? 1 : 0
    const campus =
      only === 'imagens'
        ? []
        : await judgeCampus(bench, await readCampus(), temporaryFolder('vigia-verificador-'), (fraction, title) =>
            progress(fraction * part, title),
          )
    const stills = await judgeStills(bench, sets, (fraction, title) => progress(part + fraction * (1 - part), title))
    const candidatos = [...campus, ...stills]
    const grupos = summarize(candidatos)
    const limites = judgeVerifier(grupos)
    const tables = verifierTables({ limites, grupos })
    await reportTables({ tables, details: notes, markdown }, print, 'verificador')
    return { passed: limites.every(({ ok }) => ok), figures: { notas: notes, limites, grupos, candidatos } }
  } finally {
    await bench.close()
  }
}

/** Without the folder of pictures only the campus is measured. */
async function labelledSets(dataDir: string, print: TrialOutput['print']): Promise<Pick<DataSet, 'sets' | 'notes'>> {
  try {
    const { sets, notes } = await findDataSet(dataDir, false)
    return { sets, notes }
  } catch (error) {
    if (!(error instanceof VigiaError) || error.code !== 'nao_encontrado') throw error
    const note = `${error.detalhe} Só as imagens do campus foram medidas.`
    print(note)
    return { sets: [], notes: [note] }
  }
}
