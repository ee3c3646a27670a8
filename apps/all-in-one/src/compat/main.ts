import { parseArgs } from 'node:util'
import { isClean } from '../chaos/verdict.ts'
import { checkOutFormer } from './former-checkout.ts'
import { runCompat } from './run.ts'

/**
 * `npm run compat -- --with 113ce68`: runs programs of a former release together with those of this release. The exit
 * status is 0 only if every event arrives once and in order, with either end being the older one.
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
    const verdict = await runCompat(entries)
    const { produced, stored, lost, duplicated, misordered, unrecordedGaps } = verdict
    clean &&= isClean(verdict)
    console.log(
      `${name}: produced=${produced} stored=${stored} lost=${lost} duplicated=${duplicated} ` +
        `misordered=${misordered} unrecorded_gaps=${unrecordedGaps}`,
    )
  }
} finally {
  await former.remove()
}
process.exit(clean ? 0 : 1)
