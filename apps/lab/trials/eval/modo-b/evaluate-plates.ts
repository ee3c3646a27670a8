import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PlateFound, readPlates } from '@vigia/analysis/plates/read-plates'
import { textModelFiles } from '@vigia/analysis/plates/text-model-files'
import { openTextNetworks, type TextNetworks } from '@vigia/analysis/plates/text-networks'
import { type DrawnForm, drawPlate } from '@vigia/analysis/testing/draw-plate'
import { modoBConfigSchema } from '@vigia/contracts/cameras'
import { shareOf } from '@vigia/ias/share'
import { median } from '@vigia/testing/stats'
import { toText } from '@vigia/testing/table'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import sharp from 'sharp'
import { evaluateColours } from './evaluate-colours.ts'
import { evaluateMoving } from './evaluate-moving.ts'
import { evaluatePassages } from './evaluate-passages.ts'
import { evaluateTraffic } from './evaluate-traffic.ts'
import { pixelsOf } from './pixels-of.ts'
import { type LabelledPlate, readPlateLabels } from './plate-labels.ts'
import { summarizePlates } from './plate-result.ts'

/** Longer side for the search of text, in pixels: photographs, and drawn pictures of 640x480. */
const [PHOTO_SIDE, DRAWN_SIDE] = [960, 640]
const FIRST_SEED = 10_000
const DRAWN_EACH = 60
const FORMS: readonly DrawnForm[] = ['antiga', 'mercosul', 'moto', 'moto_mercosul']

/** Bounds on the 55 photographs. */
const EXACT_MIN = 53
const WRONG_MAX = 1

/** Reads the labelled photographs and drawn plates. Fails if a bound on the photographs does. */
export async function evaluatePlates(
  { dataDir }: { readonly dataDir: string },
  { print, progress }: TrialOutput,
): Promise<Result> {
  const networks = await openTextNetworks(textModelFiles)
  try {
    const { conf_placa: threshold } = modoBConfigSchema.parse({ ativo: true })
    const labels = await readPlateLabels(join(dataDir, 'plates'))
    const results: { readonly label: LabelledPlate; readonly found: PlateFound | null }[] = []
    const times: number[] = []
    for (const [index, label] of labels.entries()) {
      const begun = performance.now()
      const found = await readPlates(networks, await pixelsOf(await readFile(label.path)), PHOTO_SIDE)
      times.push(performance.now() - begun)
      results.push({ label, found: found.find((one) => label.holds(one.box.centre)) ?? null })
      progress((index + 1) / labels.length, label.placa)
    }
    const photographs = summarizePlates(
      results.map(({ label, found }) => ({ placa: label.placa, found })),
      threshold,
    )
    const drawn: string[][] = []
    for (const form of FORMS) drawn.push([form, ...(await readDrawn(networks, form, threshold))])
    const colours = await evaluateColours(results, progress)
    const moving = await evaluateMoving(networks, labels, threshold, progress)
    const passages = await evaluatePassages(labels, threshold, progress)
    const traffic = await evaluateTraffic(join(dataDir, 'cctv'), threshold, progress)
    const failed = results.filter(({ label, found }) => found?.placa !== label.placa)
    const sheet = await drawSheet(failed.map(({ label }) => label))
    const tables = [photographTable(photographs, times), drawnTable(drawn), colours, moving, passages, traffic]
    print(tables.join('\n\n'))
    for (const { label, found } of failed)
      print(`${label.placa}: ${found ? `${found.placa} (${found.chance.toFixed(2)})` : 'sem leitura'}`)
    if (sheet) print(`Folha das falhas: ${sheet}`)
    return { passed: photographs.exact >= EXACT_MIN && photographs.wrong <= WRONG_MAX }
  } finally {
    await networks.close()
  }
}

async function readDrawn(networks: TextNetworks, form: DrawnForm, threshold: number): Promise<string[]> {
  const results: { readonly placa: string; readonly found: PlateFound | null }[] = []
  for (let seed = FIRST_SEED; seed < FIRST_SEED + DRAWN_EACH; seed++) {
    const { placa, jpeg } = await drawPlate(form, seed)
    const [found = null] = await readPlates(networks, await pixelsOf(jpeg), DRAWN_SIDE)
    results.push({ placa, found })
  }
  const { count, exact, wrong } = summarizePlates(results, threshold)
  return [`${exact} de ${count}`, String(wrong)]
}

function photographTable(summary: ReturnType<typeof summarizePlates>, times: readonly number[]): string {
  const { k, n, de, ate } = shareOf(summary.exact, summary.count)
  return toText({
    titulo: 'Placas em fotos (plates)',
    nota:
      `Limites: exatas ≥ ${EXACT_MIN}, erradas acima do limiar ≤ ${WRONG_MAX}. Publicado sobre o conjunto inteiro: ` +
      '85,96 % (OpenALPR), 91,23 % (Silva e Jung 2018), 94,73 % (Sighthound).',
    colunas: ['exatas', 'erradas acima do limiar', 'caracteres certos', 'ms por foto (mediana)'],
    linhas: [
      [
        `${k} de ${n} (${percent(de)}–${percent(ate)})`,
        String(summary.wrong),
        percent(summary.symbols),
        median(times).toFixed(0),
      ],
    ],
  })
}

const drawnTable = (linhas: readonly (readonly string[])[]): string =>
  toText({
    titulo: 'Placas desenhadas',
    nota: `${DRAWN_EACH} de cada forma, sementes a partir de ${FIRST_SEED}. Desenhos não provam uma taxa em campo.`,
    colunas: ['forma', 'exatas', 'erradas acima do limiar'],
    linhas: linhas.map((row) => [...row]),
  })

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`

/** Writes the labelled plates that were not read, one below the other. null: none. */
async function drawSheet(labels: readonly LabelledPlate[]): Promise<string | null> {
  if (labels.length === 0) return null
  const [width, height] = [480, 160]
  const rows = await Promise.all(
    labels.map(async ({ path, x, y, w, h }, index) => {
      const input = await sharp(path)
        .extract({ left: x, top: y, width: w, height: h })
        .resize(width, height, { fit: 'contain' })
        .toBuffer()
      return { input, left: 0, top: index * height }
    }),
  )
  const path = join(tmpdir(), 'vigplates-ias-falhas.png')
  const sheet = sharp({ create: { width, height: height * rows.length, channels: 3, background: '#000' } })
  await sheet.composite(rows).png().toFile(path)
  return path
}
