import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Caixa } from '@vigia/contracts/eventos'
import type { NomeIa } from '@vigia/contracts/ias'
import type { Opinion } from '@vigia/ias/judging'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecondOpinions, type SecondOpinions } from './second-opinions.ts'

/** Pictures for measuring, which no head was fitted to. */
const data = fileURLToPath(new URL('../../../../shared/data', import.meta.url))
const folders = { ppe: join(data, 'ppe/test'), fire: join(data, 'fire/roboflow-small-fire-smoke') }
const isThere = existsSync(folders.ppe) && existsSync(folders.fire)
const title = `on labelled pictures (needs ppe and fire in ${data})`

/** Confidence of the edge's detector, at the default threshold. */
const FIRST = 0.5

/** Labels of one picture: YOLO boxes, or polygons that become boxes. */
function boxesOf(text: string): { readonly classe: number; readonly x: number; y: number; w: number; h: number }[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return []
    const [classe = -1, ...numbers] = line.trim().split(/\s+/).map(Number)
    if (numbers.length === 4) {
      const [x = 0, y = 0, w = 0, h = 0] = numbers
      return [{ classe, x: x - w / 2, y: y - h / 2, w, h }]
    }
    const [xs, ys] = [0, 1].map((axis) => numbers.filter((_, at) => at % 2 === axis))
    const [x, y] = [Math.min(...(xs ?? [])), Math.min(...(ys ?? []))]
    return [{ classe, x, y, w: Math.max(...(xs ?? [])) - x, h: Math.max(...(ys ?? [])) - y }]
  })
}

/** Under load an inference takes ten times as long. */
const timeout = 240_000

describe.skipIf(!isThere)(title, { timeout }, () => {
  let second: SecondOpinions
  beforeAll(() => {
    second = createSecondOpinions({ folder: null })
  })
  afterAll(() => second.close())

  /** Verdicts on boxes of one class, each as an alarm with the label `rotulo`. */
  async function verdicts(folder: string, classe: number, ia: NomeIa, rotulo: string, every = 1): Promise<Opinion[]> {
    const opinions: Opinion[] = []
    for (const file of readdirSync(join(folder, 'images'))
      .toSorted()
      .filter((_, at) => at % every === 0)) {
      const frame = await readFile(join(folder, 'images', file))
      const labels = await readFile(join(folder, 'labels', file.replace(/\.[a-z]+$/, '.txt')), 'utf8')
      for (const { classe: own, ...place } of boxesOf(labels).filter((one) => one.classe === classe)) {
        const caixas: Caixa[] = [{ rotulo, confianca: FIRST, ...place }]
        opinions.push(await second.assess({ ia, frame, crop: frame, caixas, conf: FIRST, detalhes: {} }))
      }
    }
    return opinions
  }
  const share = (opinions: readonly Opinion[], accepted: (one: Opinion) => boolean) =>
    opinions.filter(accepted).length / opinions.length
  const isSure = ({ decisao, certeza }: Opinion) => decisao === 'confirmado' && certeza === 'alta'
  const isRefuted = ({ decisao }: Opinion) => decisao === 'refutado'

  it('confirms bare heads, and few worn helmets, as a missing helmet', async () => {
    const bare = await verdicts(folders.ppe, 2, 'epi', 'no_hardhat')
    const worn = await verdicts(folders.ppe, 0, 'epi', 'no_hardhat', 2)
    expect(bare.length).toBeGreaterThan(40)
    expect(worn.length).toBeGreaterThan(30)
    expect(share(bare, isSure)).toBeGreaterThan(0.65)
    expect(share(worn, isSure)).toBeLessThan(0.15)
    expect(share(bare, isRefuted)).toBeLessThan(0.02)
  })

  it('refutes no vest, no flame and no smoke', async () => {
    const vests = await verdicts(folders.ppe, 7, 'epi', 'no_vest', 8)
    const flames = await verdicts(folders.fire, 0, 'fogo', 'fire')
    const smoke = await verdicts(folders.fire, 1, 'fumaca', 'smoke', 4)
    expect(flames.length).toBeGreaterThan(20)
    expect([...flames, ...smoke].filter(isRefuted)).toEqual([])
    expect(vests.filter(({ decisao, motivo }) => decisao === 'refutado' && motivo.includes('colete'))).toEqual([])
    expect(share(flames, isSure)).toBeGreaterThan(0.3)
  })
})
