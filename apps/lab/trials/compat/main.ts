import { parseArgs } from 'node:util'
import { isClean, type Verdict } from '../chaos/verdict.ts'
import { checkOutFormer } from './former-checkout.ts'
import { runCompat } from './run.ts'

/**
 * `npm run compat -- --with 6b014083`: runs programs of a former release together with those of this release, and then
 * upgrades them. The exit status is 0 only if every event arrives once and in order, with either end being the older
 * one. A former release without extras must neither send nor receive one.
 */
const { values } = parseArgs({ options: { with: { type: 'string' } } })
if (values.with === undefined) {
  console.error('Diga a versão anterior: npm run compat -- --with <commit>')
  process.exit(2)
}
const former = await checkOutFormer(values.with)
let clean = true
try {
  const edge = former.entry('apps/edge/src/testing/counting-edge.ts')
  const cloud = former.entry('apps/cloud/src/test/unverifying-cloud.ts')
  const pairs = [
    { name: `edge of ${values.with}, cloud of this release`, entries: { edge } },
    { name: `edge of this release, cloud of ${values.with}`, entries: { cloud } },
  ]
  for (const { name, entries } of pairs) {
    const isRight = (mixed: Verdict) => isClean(mixed) && (former.extras ? mixed.evidence > 0 : isWithoutExtras(mixed))
    const { mixed, upgraded } = await runCompat(entries, isRight)
    console.log(`${name}: ${describe(mixed)}`)
    if (upgraded) console.log(`the same, upgraded: ${describe(upgraded)}`)
    clean &&= upgraded !== null && isClean(upgraded) && upgraded.extrasWaiting === 0
  }
} finally {
  await former.remove()
}
process.exit(clean ? 0 : 1)

function isWithoutExtras({ evidence, discards, extrasWaiting }: Verdict): boolean {
  return evidence + discards + extrasWaiting === 0
}

function describe({ produced, stored, lost, duplicated, misordered, unrecordedGaps, ...rest }: Verdict): string {
  const { evidence, discards, extrasWaiting } = rest
  return (
    `produced=${produced} stored=${stored} lost=${lost} duplicated=${duplicated} misordered=${misordered} ` +
    `unrecorded_gaps=${unrecordedGaps} evidence=${evidence} discards=${discards} extras_waiting=${extrasWaiting}`
  )
}
