import { createPlateVote } from '@vigia/analysis/plates/plate-vote'
import { readPlates } from '@vigia/analysis/plates/read-plates'
import type { TextNetworks } from '@vigia/analysis/plates/text-networks'
import { toText } from '@vigia/testing/table'
import type { TrialOutput } from '@vigia/testing/trial'
import { type Condition, conditions, movingPlate } from './moving-plate.ts'
import { pixelsOf } from './pixels-of.ts'
import type { LabelledPlate } from './plate-labels.ts'
import { calibrationError, type PlateResult, summarizePlates } from './plate-result.ts'

const SIDE = 640
const FIRST_SEED = 20_000
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`

/** Reads passages made from each photograph in each condition: every frame alone, and by vote. Returns a table. */
export async function evaluateMoving(
  networks: TextNetworks,
  labels: readonly LabelledPlate[],
  threshold: number,
  onProgress: TrialOutput['progress'],
): Promise<string> {
  const passages: (PlateResult & { readonly condition: Condition })[] = []
  const frames: (PlateResult & { readonly condition: Condition })[] = []
  const count = labels.length * conditions.length
  let begunMs = process.cpuUsage().user
  for (const label of labels)
    for (const condition of conditions) {
      const { shown: placa } = label
      const vote = createPlateVote()
      for await (const { jpeg, plate } of movingPlate(label, condition, FIRST_SEED + passages.length)) {
        const all = await readPlates(networks, await pixelsOf(jpeg), SIDE)
        // Other cars stand in the photographs.
        const found =
          all.find(({ box }) => Math.hypot(box.centre.x - plate.x, box.centre.y - plate.y) < box.width) ?? null
        frames.push({ condition, placa, found })
        vote.add(found ? [found, ...found.candidates] : [], found?.box.height ?? 0)
      }
      passages.push({ condition, placa, found: vote.result() })
      onProgress(passages.length / count, `${placa}, ${condition}`)
    }
  begunMs = (process.cpuUsage().user - begunMs) / 1e6 / count
  const rows = [...conditions, null].map((condition) => {
    const of = <T extends { readonly condition: Condition }>(all: readonly T[]) =>
      condition === null ? all : all.filter((one) => one.condition === condition)
    const [single, voted] = [summarizePlates(of(frames), threshold), summarizePlates(of(passages), threshold)]
    const share = ({ exact, count }: typeof voted) => percent(exact / Math.max(1, count))
    return [
      condition ?? 'todas',
      String(voted.count),
      share(single),
      share(voted),
      percent(voted.wrong / Math.max(1, voted.count)),
      calibrationError(of(passages)).toFixed(3),
    ]
  })
  return toText({
    titulo: 'Passagens compostas de fotos',
    nota:
      `Sementes a partir de ${FIRST_SEED}, rótulos corrigidos. ` +
      `${begunMs.toFixed(1)} s de CPU por passagem, com o desenho dos quadros.`,
    colunas: [
      'condição',
      'passagens',
      'quadros exatos',
      'exatas por votação',
      'erradas acima do limiar',
      'erro de calibração',
    ],
    linhas: rows,
  })
}
